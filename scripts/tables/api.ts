/** docs/api.md: what the modules of the package export, with the comments of their sources. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const SRC = new URL("../../src/", import.meta.url);

/** A declaration with its comment, and its code without a body. */
export interface Documented {
  /** Below `src`. */
  readonly file: string;
  readonly name: string;
  readonly comment: string;
  readonly code: string;
}

const belowSrc = (file: URL): string => file.href.slice(SRC.href.length);

const parse = (file: URL): ts.SourceFile =>
  ts.createSourceFile(
    fileURLToPath(file),
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );

/** The comment before a node, as text: tags begin with "@". */
function commentOf(node: ts.Node): string {
  const source = node.getSourceFile().text;
  const [range] = (ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []).slice(-1);
  const text = range === undefined ? "" : source.slice(range.pos, range.end);
  if (!text.startsWith("/**")) return "";
  return text
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The code of a declaration: of a function its signature alone. */
function codeOf(node: ts.Statement): string {
  const text = node.getText().replace(/^export /, "");
  if (ts.isFunctionDeclaration(node) && node.body !== undefined) {
    const length = node.body.getStart() - node.getStart();
    return `${node
      .getText()
      .slice(0, length)
      .replace(/^export (?:async )?/, "")
      .trim()};`;
  }
  if (!ts.isVariableStatement(node)) return text;
  const [declaration] = node.declarationList.declarations;
  if (declaration === undefined) return text;
  const { name, type, initializer: value } = declaration;
  if (type !== undefined && ts.isFunctionTypeNode(type)) {
    return `function ${name.getText()}${type.getText().replace(") =>", "):")};`;
  }
  if (value === undefined || !ts.isArrowFunction(value)) return `const ${name.getText()};`;
  const length = value.equalsGreaterThanToken.getStart() - value.getStart();
  return `function ${name.getText()}${value.getText().slice(0, length).trim()};`;
}

function namesOf(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = node as ts.Statement & { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function documented(name: string, node: ts.Statement, file: URL): Documented {
  return { file: belowSrc(file), name, comment: commentOf(node), code: codeOf(node) };
}

/** @param path below `src` */
export function exportsOf(path: string): Documented[] {
  const file = new URL(path, SRC);
  return parse(file).statements.flatMap((node): Documented[] => {
    if (ts.isExportDeclaration(node)) {
      const { exportClause: clause, moduleSpecifier: from } = node;
      if (clause === undefined || !ts.isNamedExports(clause)) return [];
      const other =
        from !== undefined && ts.isStringLiteral(from) ? new URL(from.text, file) : file;
      return clause.elements.map(({ name }) => declared(name.text, other));
    }
    const isExported = ts.canHaveModifiers(node)
      ? ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    return isExported === true ? namesOf(node).map((name) => documented(name, node, file)) : [];
  });
}

/** Finds a declaration, through the modules that only pass it on. */
function declared(name: string, file: URL): Documented {
  for (const node of parse(file).statements) {
    if (namesOf(node).includes(name)) return documented(name, node, file);
    if (!ts.isExportDeclaration(node) || node.moduleSpecifier === undefined) continue;
    const { exportClause: clause, moduleSpecifier: from } = node;
    if (!ts.isStringLiteral(from)) continue;
    const isNamed = clause !== undefined && ts.isNamedExports(clause);
    const found = isNamed ? clause.elements.find((one) => one.name.text === name) : undefined;
    if (isNamed && found === undefined) continue;
    try {
      return { ...declared(found?.propertyName?.text ?? name, new URL(from.text, file)), name };
    } catch {
      // Of several `export *`, one has it.
    }
  }
  throw new Error(`${fileURLToPath(file)} declares no ${name}`);
}

/** The methods of an interface. */
export function methodsOf(path: string, name: string): Documented[] {
  const found = parse(new URL(path, SRC)).statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
  );
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`no ${name}`);
  return found.members.map((member) => ({
    file: path,
    name: member.name?.getText() ?? "",
    comment: commentOf(member),
    code: member.getText(),
  }));
}

const isType = ({ code }: Documented): boolean => /^(?:interface|type) /.test(code);

/** A comment as sentences of Markdown: tags in words. */
const sentences = (comment: string): string =>
  comment
    .split(/(?=@(?:param|returns|throws) )/)
    .map((part) =>
      part
        .replace(/^@param (\w+) /, "`$1`: ")
        .replace(/^@returns /, "Returns: ")
        .replace(/^@throws \{(\w+)\} /, "Throws `$1` ")
        .replace(/^@throws /, "Throws ")
        .trim()
        .replace(/[^.]$/, "$&."),
    )
    .join(" ");

const item = ({ code, comment }: Documented): string =>
  `- \`${code
    .replace(/\s+/g, " ")
    .replace(/;$/, "")
    .replace(/^function(?:\* | )/, "")}\`: ${sentences(comment)}`;

/** The functions and constants of a module, and below them the names of its types. */
export function moduleList(path: string): string {
  const all = exportsOf(path);
  const types = all.filter(isType).map(({ name }) => `\`${name}\``);
  return [...all.filter((one) => !isType(one)).map(item), `- Types: ${types.join(", ")}.`].join(
    "\n",
  );
}

export const methodList = (path: string, name: string): string =>
  methodsOf(path, name).map(item).join("\n");

/** The types of a module as code. */
export function typesBlock(path: string, names: readonly string[]): string {
  const types = exportsOf(path).filter(({ name }) => names.includes(name));
  return `\`\`\`ts\n${types.map(({ code }) => code).join("\n\n")}\n\`\`\``;
}
