/**
 * Reads the credential, and protects it from other programs and from the output of this process.
 *
 * `delete process.env.X` is not enough: /proc/PID of Linux shows the initial environment and command line of a process to all
 * processes of the same user. Both are memory of the process, and are overwritten here.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { ConfigurationError, UsageError } from "../contract/errors.ts";
import type { Secret, SecretFinder } from "../util/secrets.ts";
import { onDisk } from "../files/disk.ts";
import type { Environment, Values } from "../settings/sources.ts";

/**
 * The environment with the credential of the file that `--token-file` or `QUOTES_TOKEN_FILE` names.
 *
 * @throws {UsageError | ConfigurationError} when a credential is given as well, or the file is missing or empty
 * @throws {DiskError} when the file cannot be read
 */
export function withCredentialFile(options: Values): Environment {
  const { env } = process;
  const file = options.tokenFile ?? env["QUOTES_TOKEN_FILE"];
  if (file === undefined || file === "") return env;
  const [name, Failure] =
    options.tokenFile === undefined
      ? (["QUOTES_TOKEN_FILE", ConfigurationError] as const)
      : (["--token-file", UsageError] as const);
  if ((env["QUOTES_TOKEN"] ?? "") !== "" || options.token !== undefined) {
    throw new Failure(`Cannot use ${name}: the credential is given as well; leave one of them out`);
  }
  // The value is not printed: some write the credential here.
  if (!existsSync(file)) throw new Failure(`Cannot use ${name}: there is no such file`);
  const token = onDisk("read", file, () => readFileSync(file, "utf8")).trim();
  // `serve` would take an empty credential for none, and accept every request.
  if (token === "") throw new Failure(`Cannot use ${name}: the file is empty`);
  return { ...env, QUOTES_TOKEN: token };
}

/** Removes secrets from the environment, and from the environment and the command line in /proc. */
export function forgetCredential(secrets: readonly Secret[]): void {
  for (const name of ["QUOTES_TOKEN_FILE", ...secrets.map((secret) => secret.name)]) {
    delete process.env[name];
  }
  if (process.platform !== "linux" || secrets.length === 0) return;
  try {
    overwriteStart(secrets);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const names = secrets.map(({ name }) => name).join(", ");
    process.stderr.write(
      `Cannot take ${names} out of /proc/${process.pid}: ${String(error.code)}; programs of this user can read it there\n`,
    );
  }
}

/** Fields of /proc/PID/stat, counted from the first after the name: see proc_pid_stat(5). */
const [ARG_START, ENV_END] = [45, 48];

/** Overwrites secrets in the initial command line and environment, which lie one behind the other in memory. */
function overwriteStart(secrets: readonly Secret[]): void {
  const stat = readFileSync("/proc/self/stat", "latin1");
  // The name of the program is in parentheses and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const start = Number(fields[ARG_START]);
  const bytes = Buffer.alloc(Number(fields[ENV_END]) - start);
  const memory = openSync("/proc/self/mem", "r+");
  try {
    readSync(memory, bytes, 0, bytes.length, start);
    for (const { value } of secrets) {
      const secret = Buffer.from(value);
      const blank = Buffer.alloc(secret.length, "x");
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1)) {
        writeSync(memory, blank, 0, blank.length, start + at);
      }
    }
  } finally {
    closeSync(memory);
    bytes.fill(0);
  }
}

/**
 * Redacts secrets in everything that this process writes to stdout and stderr.
 *
 * Each write is checked by itself: a secret that is split over two writes is not found. The client has redacted the answers of
 * the service before.
 */
export function guardOutput(finder: SecretFinder): void {
  const redacted = (chunk: string | Uint8Array): string | Uint8Array => {
    if (typeof chunk === "string") return finder.redact(chunk);
    return finder.find(chunk) === null ? chunk : finder.redact(Buffer.from(chunk).toString("utf8"));
  };
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: []) => write(redacted(chunk), ...rest);
  }
}
