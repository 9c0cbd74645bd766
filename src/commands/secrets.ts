/**
 * Where the credential comes from, and that it does not stay where other programs can read it, nor goes out with what this
 * process writes.
 *
 * `delete process.env.X` is not enough: Linux shows the environment and the command line that a process was started with in
 * /proc/PID, to every process of the same user. Both are memory of the process, and are overwritten here.
 */
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { ConfigurationError } from "../contract/errors.ts";
import type { Secret, SecretFinder } from "../contract/secrets.ts";
import { onDisk } from "../files/disk.ts";
import type { Environment, Values } from "../settings/sources.ts";

/**
 * The environment with the credential of the file that `--token-file` or `QUOTES_TOKEN_FILE` names.
 *
 * @throws {ConfigurationError} when a credential is given as well, or the file is empty
 * @throws {DiskError} when the file cannot be read
 */
export function withCredentialFile(options: Values): Environment {
  const { env } = process;
  const file = options.tokenFile ?? env["QUOTES_TOKEN_FILE"];
  if (file === undefined || file === "") return env;
  if ((env["QUOTES_TOKEN"] ?? "") !== "" || options.token !== undefined) {
    throw new ConfigurationError(
      "Cannot use QUOTES_TOKEN_FILE: the credential is given as well; leave one of them out",
    );
  }
  const token = onDisk("read", file, () => readFileSync(file, "utf8")).trim();
  // An empty value would count as none: a service would then need no credential.
  if (token === "") throw new ConfigurationError("Cannot use QUOTES_TOKEN_FILE: the file is empty");
  return { ...env, QUOTES_TOKEN: token };
}

/** Takes secrets out of the environment, also out of the copies of it and of the command line in /proc. */
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

/** Fields of /proc/PID/stat, counted from the one behind the name: see proc_pid_stat(5). */
const [ARG_START, ENV_END] = [45, 48];

/** Overwrites the command line and, behind it, the environment with which the process was started. */
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
 * The last check: nothing that this process writes to stdout or stderr holds a secret, whatever code writes it.
 *
 * It looks at each piece that is written; what a program writes in halves is not joined. Whatever comes from the service
 * was cleaned long before, by the client.
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
