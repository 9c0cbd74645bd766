/** Asks for what the options of a command would say, on a terminal alone. */
import { createInterface } from "node:readline/promises";
import { UsageError } from "../contract/errors.ts";
import type { readOption, Values } from "../settings/sources.ts";
import type { SettingKey } from "../settings/table.ts";

/** By key of the setting: what is asked, and the answer of an empty line; an empty answer sets nothing. */
type Questions = Readonly<Partial<Record<SettingKey, readonly [string, string]>>>;

/**
 * @returns the answers as values of their settings; none without a terminal
 * @throws {UsageError} for an answer that its option would refuse, and when the input ends
 * @throws the reason of `signal`
 */
export async function ask(
  questions: Questions,
  signal: AbortSignal,
  read: typeof readOption,
): Promise<Values> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return {};
  // On stderr: stdout has the result of the command alone.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The terminal is raw while a question waits: it makes no signal of Control-C.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const values: Partial<Record<SettingKey, unknown>> = {};
    for (const [name, [question, usual]] of Object.entries(questions)) {
      const key = name as SettingKey;
      const hint = usual === "" ? "" : ` (${usual})`;
      const line = await terminal.question(`${question}${hint}: `, { signal });
      const answer = line.trim() || usual;
      if (answer !== "") values[key] = read(key, answer);
    }
    return values as Values;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error) || error.name !== "AbortError") throw error;
    throw new UsageError("Cannot go on: the input has ended; answer, or give the options");
  } finally {
    terminal.close();
  }
}
