/** `npm run doctor`: checks what a run needs before it costs anything. Every line that is not good says what to do. */
import { ConfigurationError, DiskError, ServiceUnavailable } from "../contract/errors.ts";
import { CHECKS, type Check, type Finding } from "./doctor-checks.ts";
import type { Outcome, ProgramContext } from "./program.ts";

const FAILURES = {
  setting: ConfigurationError,
  service: ServiceUnavailable,
  disk: DiskError,
} as const;

export async function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  const found: (Finding & { readonly check: string })[] = [];
  for (const [check, look] of Object.entries(CHECKS) as [string, Check][]) {
    found.push({ check, ...(await look({ settings, signal })) });
  }
  const lines = found.map(({ check, state, text }) => `${state.padEnd(4)}  ${check}: ${text}`);
  const failed = found.find(({ state }) => state === "bad");
  const count = found.filter(({ state }) => state === "bad").length;
  const Failure = FAILURES[failed?.cause ?? "setting"];
  return {
    text: lines.join("\n"),
    result: { checks: found },
    ...(failed !== undefined && {
      refusal: new Failure(
        `Cannot run: ${count === 1 ? failed.check : `${count} checks`} failed, ${failed.text}`,
      ),
    }),
  };
}
