/** The expressions of the workflows, evaluated by GitHub's own code. */
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

export type Context = Readonly<Record<string, unknown>>;

/** Of the functions that ask for the state of the job, the only one that the workflows use. */
const ALWAYS = { name: "always", minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(true) };

/** @throws {Error} for what is no expression, or names no part of the context */
export function evaluate(expression: string, context: Context): unknown {
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(context), [ALWAYS]).parse();
  const values = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary;
  const value = new Evaluator(parsed, values, new Map([["always", ALWAYS]])).evaluate();
  return JSON.parse(JSON.stringify(value, data.replacer)) as unknown;
}

/** Text with every `${{ … }}` in it replaced by its value. */
export function substitute(text: string, context: Context): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) => {
    const value = evaluate(expression, context) ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
