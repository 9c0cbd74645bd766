/**
 * Finds the places of a module where a bug of an ordinary kind can be seeded, by its syntax tree: a condition, a comparison, a
 * number, a call, a part of a query.
 */
import ts from "typescript";
import type { Mutant } from "./mutant.ts";

type Change = Pick<Mutant, "after" | "what">;
type Mutator = (node: ts.Node, text: string, source: ts.SourceFile) => Change | null;

const SWAPS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
  [ts.SyntaxKind.PlusToken]: "-",
  [ts.SyntaxKind.MinusToken]: "+",
};

const swapOperator: Mutator = (node, _, source) => {
  if (!ts.isBinaryExpression(node)) return null;
  const { left, operatorToken, right } = node;
  const other = SWAPS[operatorToken.kind];
  // Texts are joined by a plus, too.
  const isText = [left, right].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
  );
  if (other === undefined || isText) return null;
  const after = `${left.getText(source)} ${other} ${right.getText(source)}`;
  return { after, what: `${operatorToken.getText(source)} is ${other}` };
};

const negate: Mutator = (node, text) => {
  const { parent } = node;
  const isCondition =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node);
  return isCondition ? { after: `!(${text})`, what: "a condition is negated" } : null;
};

const shiftNumber: Mutator = (node, text) =>
  ts.isNumericLiteral(node) && /^\d{1,4}$/.test(text)
    ? { after: String(Number(text) + 1), what: "a number is one more" }
    : null;

const flipBoolean: Mutator = ({ kind }) => {
  if (kind === ts.SyntaxKind.TrueKeyword) return { after: "false", what: "true is false" };
  return kind === ts.SyntaxKind.FalseKeyword ? { after: "true", what: "false is true" } : null;
};

/** A call made for what it does, not for its value. */
const dropCall: Mutator = (node) => {
  if (!ts.isExpressionStatement(node)) return null;
  const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  return ts.isCallExpression(call) ? { after: ";", what: "a call is left out" } : null;
};

/** `escapeHtml(text)` becomes `text`, and so do sorts, filters and bounds. */
const unwrap: Mutator = (node, _, source) => {
  if (!ts.isCallExpression(node)) return null;
  const { expression, arguments: given } = node;
  const [only] = given;
  if (ts.isIdentifier(expression) && given.length === 1 && only !== undefined) {
    const name = expression.text;
    if (!/^(?:escape|clean|plain|printable|shorten|fold|disarm|redact)/.test(name)) return null;
    return { after: only.getText(source), what: `${name}() is left out` };
  }
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const { text: name } = expression.name;
  const on = expression.expression.getText(source);
  if (["max", "min"].includes(name) && on === "Math") {
    const after = node.getText(source).replace(name, name === "max" ? "min" : "max");
    return { after, what: `Math.${name} is the other` };
  }
  return ["sort", "toSorted", "filter", "reverse", "trim", "toLowerCase"].includes(name)
    ? { after: on, what: `.${name}() is left out` }
    : null;
};

/** Drops a condition, an order or the durable half of a query. */
const weakenQuery: Mutator = (node, text) => {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  if (!isText || !/\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.test(text)) return null;
  const changes: readonly (readonly [RegExp, string])[] = [
    [/\s+AND\s+(?:NOT\s+)?[\w.]+ (?:=|<>|<|>|IS|IS NOT) [?:\w]+/, ""],
    [/ DESC\b/, " ASC"],
    [/\bNOT IN\b/, "IN"],
    [/\bDISTINCT /, ""],
    [/ ORDER BY [\w ,]+(?=["`])/, ""],
  ];
  for (const [from, to] of changes) {
    const after = text.replace(from, to);
    if (after !== text) return { after, what: "a query has a part less" };
  }
  return null;
};

/** A fallback, a spread or a property that is left out. */
const dropPart: Mutator = (node, _, source) => {
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  )
    return { after: node.right.getText(source), what: "only the fallback is used" };
  const isItem = ts.isArrayLiteralExpression(node) && node.elements.length > 1;
  if (!isItem) return null;
  const [, ...rest] = node.elements.map((element) => element.getText(source));
  return { after: `[${rest.join(", ")}]`, what: "the first item is left out" };
};

const MUTATORS = [
  ...[swapOperator, negate, shiftNumber, flipBoolean, dropCall, unwrap, weakenQuery, dropPart],
];

/** Every bug that a module can be seeded with. */
export function mutantsOf(file: string, content: string): Mutant[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    // Types and imports do nothing.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return;
    const at = node.getStart(source);
    const before = content.slice(at, node.end);
    for (const mutate of node.parent === undefined ? [] : MUTATORS) {
      const change = mutate(node, before, source);
      if (change !== null) found.push({ file, at, before, ...change });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
