/** The command line and the environment, each read whole against its table; nothing passes unchecked. */
import { parseArgs } from "node:util";
import { ConfigurationError, UsageError } from "../contract/errors.ts";
import type { Secret } from "../contract/secrets/finder.ts";
import { type Option } from "./options.ts";
import { VARIABLES, type VariableName } from "./variables.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Values = Readonly<Record<string, unknown>>;

/**
 * Splits a command line into checked values by option name, and by the variable that an option stands for; switches are
 * `true`.
 *
 * @throws {UsageError} for an unknown option, a missing value, or one its reader refuses
 */
export function readOptions(
  argv: readonly string[],
  table: Readonly<Record<string, Option>>,
): Values {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      { type: option.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const values: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(parse(argv, options))) {
    const option = table[name];
    const reader =
      option?.variable === undefined ? option?.reader : VARIABLES[option.variable].reader;
    if (typeof raw !== "string" || reader === undefined) {
      values[name] = raw;
      continue;
    }
    const read = reader.safeParse(raw);
    if (!read.success) {
      const secret = option?.variable === "QUOTES_TOKEN";
      throw new UsageError(`Cannot use --${name}: ${complaint(read.error, raw, secret)}`);
    }
    values[name] = read.data;
    if (option?.variable !== undefined) values[option.variable] = read.data;
  }
  return values;
}

type ParseOptions = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;

function parse(argv: readonly string[], options: ParseOptions): Values {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [reason = ""] = error.message.split(/[.\n]/);
    throw new UsageError(`Cannot read the command line: ${reason}`, { cause: error });
  }
}

/**
 * Reads every environment variable of the table; empty ones count as absent.
 *
 * @throws {ConfigurationError} naming the variable, and its value unless it is a secret
 */
export function readEnvironment(env: Environment): Partial<Record<VariableName, unknown>> {
  const values: Partial<Record<VariableName, unknown>> = {};
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const raw = env[name];
    if (raw === undefined || raw === "") continue;
    const read = variable.reader.safeParse(raw);
    if (!read.success) {
      const secret = "secret" in variable;
      throw new ConfigurationError(`Cannot use ${name}: ${complaint(read.error, raw, secret)}`);
    }
    values[name as VariableName] = read.data;
  }
  return values;
}

const SECRETS = Object.entries(VARIABLES)
  .filter(([, variable]) => "secret" in variable)
  .map(([name]) => name);

/** What is secret of an environment and a command line; one and the same value once. */
export function secretsIn(env: Environment, options: Values): Secret[] {
  const given = [
    ...SECRETS.map((name) => ({ name, value: env[name] ?? "" })),
    ...(typeof options["token"] === "string" ? [{ name: "--token", value: options["token"] }] : []),
  ];
  return given.filter(
    ({ value }, place) => value !== "" && given.findIndex((of) => of.value === value) === place,
  );
}

/** Takes the secrets out of an environment, and where they are kept, so that no child process inherits them. */
export function forgetSecrets(env: Record<string, string | undefined>): void {
  for (const name of [...SECRETS, "QUOTES_TOKEN_FILE"]) delete env[name];
}

function complaint(
  error: { readonly issues: readonly { readonly message: string }[] },
  raw: string,
  secret: boolean,
): string {
  const reason = error.issues[0]?.message ?? "not understood";
  return secret ? reason : `${reason}, got ${JSON.stringify(withoutLogin(raw).slice(0, 100))}`;
}

/** An address with a login or a query in it is refused, and what it is refused for is no one's to read. */
function withoutLogin(raw: string): string {
  return raw.replace(/\/\/.*@/s, "//…@").replace(/[?#].*$/s, "?…");
}
