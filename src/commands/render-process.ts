/** The process of `renderApart`: renders what it is sent, answers, and ends with the process that started it. */
import { failureOf } from "../contract/errors.ts";
import type { RenderAnswer, RenderOrder } from "./render-apart.ts";
import { renderFromSnapshot } from "./render-site.ts";

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort(new Error("stopped by SIGTERM")));
// A terminal sends it to both processes; the other one decides.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(1));
process.once("message", (order: RenderOrder) => void render(order));

async function render({ settings, now }: RenderOrder): Promise<void> {
  const ahead = now - Date.now();
  const showProgress = (line: string): void => void answer({ kind: "progress", line });
  try {
    const report = await renderFromSnapshot(
      { ...settings, now: () => Date.now() + ahead },
      { signal: stop.signal, showProgress },
    );
    answer({ kind: "done", report });
  } catch (error) {
    answer({ kind: "failed", failure: failureOf(error) });
  }
}

function answer(message: RenderAnswer): void {
  process.send?.(message);
}
