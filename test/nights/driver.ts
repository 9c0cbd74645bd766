/**
 * Builds night after night in one process, as told by its parent: the same program on real files and sockets, without
 * paying for Node's start each time. Of what the program prints it gives the last line alone.
 */
import { Refusal, withNextStep } from "../../src/contract/errors.ts";
import { readCommandLine } from "../../src/commands/command-line.ts";
import * as buildProgram from "../../src/commands/build.ts";
import { readSettings } from "../../src/settings/settings.ts";

export interface Order {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Done {
  readonly status: number;
  readonly why: string;
}

const { signal } = new AbortController();

async function night({ args, env }: Order): Promise<Done> {
  try {
    const request = readCommandLine(["build", ...args, "--quiet"]);
    if (request.kind !== "run") throw new Error("a build was to run");
    const { options } = request;
    const settings = readSettings(options, env);
    const { refusal } = await buildProgram.run({ settings, options, words: [], signal });
    if (refusal !== undefined) throw refusal;
    return { status: 0, why: "" };
  } catch (error) {
    if (error instanceof Refusal) {
      const { exitStatus: status, message } = error;
      return { status, why: withNextStep(message, status) };
    }
    return { status: 1, why: error instanceof Error ? (error.stack ?? "") : String(error) };
  }
}

process.on("message", (order: Order) => {
  void night(order).then((done) => process.send?.(done));
});
