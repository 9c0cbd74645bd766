/** Reads options and environment variables; each is checked against its row of the table. */
import { ConfigurationError, UsageError } from "../contract/errors.ts";
import type { Secret } from "../util/secrets.ts";
import type { Reader } from "./readers.ts";
import { SETTINGS, type Setting, type SettingKey } from "./table.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

type Row<K extends SettingKey> = (typeof SETTINGS)[K];

/** The type that the reader of a setting gives; a switch without a reader is a boolean. */
type ValueOf<K extends SettingKey> =
  Row<K> extends { readonly reader: Reader<infer T> } ? T : boolean;

/** Checked values by the key of their setting. */
export type Values = { readonly [K in SettingKey]?: ValueOf<K> };

/** A value that has a default is never missing. */
export type Known<K extends SettingKey> =
  Row<K> extends { readonly default: string } ? ValueOf<K> : ValueOf<K> | undefined;

const rowOf = (key: SettingKey): Setting => SETTINGS[key];
const isVariable = (key: string): boolean => /^[A-Z_]+$/.test(key);

export const isSettingKey = (name: string): name is SettingKey => Object.hasOwn(SETTINGS, name);
export const SETTING_KEYS = Object.keys(SETTINGS).filter(isSettingKey);
export const VARIABLES = SETTING_KEYS.filter(isVariable);

interface OptionName {
  readonly key: SettingKey;
  /** Without the dashes. */
  readonly name: string;
  /** Word for its value; none for a switch. */
  readonly value?: string;
}

/** The option of a setting; null for a variable that has none. */
export function optionOf(key: SettingKey): OptionName | null {
  const [, name, value] = /^--(\S+)(?: (\S+))?$/.exec(rowOf(key).option ?? "") ?? [];
  if (name === undefined) return null;
  return value === undefined ? { key, name } : { key, name, value };
}

/** The options of several settings. Where two have one name, the first wins and the other is only a variable. */
export function optionsOf(keys: readonly SettingKey[]): OptionName[] {
  const options = keys.map(optionOf).filter((option) => option !== null);
  const names = options.map(({ name }) => name);
  return options.filter(({ name }, place) => names.indexOf(name) === place);
}

/** The value of a setting: from the options, else from the environment, else its default. */
export function settingOf<K extends SettingKey>(
  key: K,
  options: Values,
  variables: Values = {},
): Known<K> {
  const { default: text, reader } = rowOf(key);
  const standard: unknown = text === undefined ? undefined : reader?.parse(text);
  return (options[key] ?? variables[key] ?? standard) as Known<K>;
}

/**
 * Checks the value of an option.
 *
 * @param raw true for a switch
 * @throws {UsageError} naming the option, and the value unless it is a secret
 */
export function readOption(key: SettingKey, raw: string | true): unknown {
  const label = `--${optionOf(key)?.name ?? key}`;
  return raw === true ? raw : check(key, raw, label, UsageError);
}

/**
 * Reads every environment variable of the table; empty ones count as absent.
 *
 * @throws {ConfigurationError} naming the variable, and its value unless it is a secret
 */
export function readEnvironment(env: Environment): Values {
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of VARIABLES) {
    // Programs that know proxies read these names in either case.
    const raw = env[key] ?? (key.endsWith("_PROXY") ? env[key.toLowerCase()] : undefined) ?? "";
    if (raw !== "") values[key] = check(key, raw, key, ConfigurationError);
  }
  return values as Values;
}

const SECRETS = SETTING_KEYS.filter((key) => rowOf(key).secret === true);

/** Environment variables whose value is a secret. */
export const SECRET_VARIABLES: readonly string[] = SECRETS.filter(isVariable);

/** The secrets of an environment and of the options; equal values once. */
export function secretsIn(env: Environment, options: Values): Secret[] {
  const names = new Map<string, string>();
  for (const key of SECRETS) {
    const value = isVariable(key) ? env[key] : options[key];
    if (typeof value === "string" && value !== "" && !names.has(value)) {
      names.set(value, labelOf(key));
    }
  }
  return Array.from(names, ([value, name]) => ({ name, value }));
}

/** The name of a setting in messages. */
const labelOf = (key: SettingKey): string =>
  isVariable(key) ? key : `--${optionOf(key)?.name ?? key}`;

function check(
  key: SettingKey,
  raw: string,
  name: string,
  Failure: typeof ConfigurationError | typeof UsageError,
): unknown {
  const { reader, secret, besideSecret } = rowOf(key);
  const read = reader?.safeParse(raw);
  if (read === undefined) return raw;
  if (read.success) return read.data;
  const reason = read.error.issues[0]?.message ?? "not understood";
  const hidden = secret ?? besideSecret ?? false;
  const got = hidden ? "" : `, got ${JSON.stringify(withoutLogin(raw).slice(0, 100))}`;
  throw new Failure(`Cannot use ${name}: ${reason}${got}`);
}

/** Removes the login and the query of an address: they may hold a secret. */
function withoutLogin(raw: string): string {
  return raw.replace(/^(\w+:\/\/)?.*@/s, "$1…@").replace(/[?#].*$/s, "?…");
}
