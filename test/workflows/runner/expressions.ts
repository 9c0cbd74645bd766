/** The part of GitHub's expressions that the workflows use: paths, text, `||`, `&&`, `==`, `!=`, fromJSON and always. */

export type Context = Readonly<Record<string, unknown>>;

/** Text with every `${{ … }}` in it replaced by its value. */
export function substitute(text: string, context: Context): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) => {
    const value = evaluate(expression, context);
    if (value === null || value === undefined) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** @throws {Error} for anything that is not of the part above: then the workflow outgrew its test */
export function evaluate(expression: string, context: Context): unknown {
  const text = expression.trim();
  const or = split(text, "||");
  if (or.length > 1) return or.map((part) => evaluate(part, context)).find(Boolean) ?? "";
  const and = split(text, "&&");
  if (and.length > 1) return and.every((part) => Boolean(evaluate(part, context)));
  for (const [operator, wanted] of [
    ["==", true],
    ["!=", false],
  ] as const) {
    const [left, right] = split(text, operator);
    if (left === undefined || right === undefined) continue;
    return (evaluate(left, context) === evaluate(right, context)) === wanted;
  }
  if (text === "always()") return true;
  const json = /^fromJSON\((.+)\)$/.exec(text)?.[1];
  if (json !== undefined) return JSON.parse(String(evaluate(json, context)));
  const literal = /^'([^']*)'$/.exec(text)?.[1];
  if (literal !== undefined) return literal;
  if (!/^[a-z][\w-]*(?:\.[\w-]+)*$/i.test(text)) throw new Error(`Cannot evaluate ${text}`);
  return text
    .split(".")
    .reduce<unknown>((value, name) => (value as Context | undefined)?.[name], context);
}

const split = (text: string, operator: string): string[] =>
  text.includes(operator) ? text.split(operator) : [text];
