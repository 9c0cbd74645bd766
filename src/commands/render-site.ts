/**
 * Snapshot → `dist`: Astro's own build, in this process or in one that never had the credential. Needs no network.
 *
 * A theme is code of its own, and could read a credential in the memory of the process that harvests.
 */
import { fork } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { addAbortListener } from "node:events";
import { globSync, realpathSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "astro";
import { ConfigurationError, errorOf, failureOf, type Failure } from "../contract/errors.ts";
import { makeFolder } from "../files/disk.ts";
import { ROOT } from "../files/name-of.ts";
import { RENDER_CHANNEL, type RenderMessage, type RenderReport } from "../render/rendering.ts";
import { readSettings, renderEnvironment, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";
import { themeFolders } from "../themes/theme.ts";
import { untilStopped } from "./program.ts";
import { explainFailure } from "./render-errors.ts";
import { siteFolder } from "./site-folder.ts";

export interface RenderHow {
  readonly signal: AbortSignal;
  readonly showProgress: (line: string) => void;
}

/**
 * Renders every page that differs from what lies in the output folder: `npx astro build` with these settings.
 *
 * Without a credential there is nothing to keep from a theme, and no second process.
 *
 * @throws {UsageError} when nothing was ever harvested into the state folder
 * @throws {ConfigurationError} when a route cannot be rendered in threads
 * @throws {DiskError} when a file cannot be written
 * @throws the reason of `signal`
 */
export function renderApart(settings: Settings, how: RenderHow): Promise<RenderReport> {
  return (settings.secrets.length === 0 ? renderFromSnapshot : renderInChild)(settings, how);
}

/** Renders in this process, also where the settings hold a credential. */
export function renderFromSnapshot(settings: Settings, how: RenderHow): Promise<RenderReport> {
  Object.assign(process.env, environmentFor(settings));
  return runAstro(ROOT, settings.outDir, how);
}

/** The credential is not in it: a command takes that out of its own environment before it begins. */
const environmentFor = (settings: Settings): NodeJS.ProcessEnv => ({
  ...process.env,
  ...renderEnvironment(settings),
  ASTRO_TELEMETRY_DISABLED: "1",
});

/** Runs Astro's build of a project that has the integration. */
export async function runAstro(
  root: string,
  outDir: string,
  { signal, showProgress }: RenderHow,
): Promise<RenderReport> {
  let report: RenderReport | undefined;
  const listen = (message: unknown): void => {
    const progress = message as RenderMessage;
    if ("report" in progress) report = progress.report;
    else showProgress(`${progress.rendered} of ${progress.of} pages`);
  };
  subscribe(RENDER_CHANNEL, listen);
  const folder = process.cwd();
  makeFolder(outDir);
  const real = realpathSync(outDir);
  // Astro puts its bundle below the working directory, and renames files from there into the output folder.
  if (!`${real}${sep}`.startsWith(`${folder}${sep}`)) process.chdir(real);
  // A mistake in astro.config.mjs is named by its own line.
  process.setSourceMapsEnabled(true);
  try {
    signal.throwIfAborted();
    // Astro cannot be stopped: the program ends, and what its threads still write is whole.
    await Promise.race([build({ root, outDir: real }), untilStopped(signal)]);
    signal.throwIfAborted();
  } catch (error) {
    rmSync(join(real, ".prerender"), { recursive: true, force: true });
    throw explainMistake(error);
  } finally {
    unsubscribe(RENDER_CHANNEL, listen);
    process.chdir(folder);
  }
  if (report !== undefined) return report;
  throw new ConfigurationError(
    "Cannot render: astro.config.mjs has no renderPages() in its integrations",
  );
}

/** @returns what Astro threw, as the mistake of the fork that it is, if it is one */
export const explainMistake = (error: unknown): unknown =>
  explainFailure(error, ROOT, forkFolders());

/** The folders whose files a fork wrote, its files in `src` (collections, middleware), and the configuration of tools. */
function forkFolders(): string[] {
  const { theme } = readSettings({}, process.env, siteData().config).site;
  const site = siteFolder();
  const own = themeFolders(theme, { root: ROOT, site }).filter((folder) =>
    relative(join(ROOT, "src/themes"), folder).startsWith(".."),
  );
  const files = globSync(
    "{*.config,src/{content.config,middleware,middleware/**/*}}.{ts,js,mjs,cjs}",
    {
      cwd: ROOT,
    },
  );
  return [site ?? [], files.map((file) => join(ROOT, file)), own].flat();
}

/** What the other process answers, after lines of progress. */
type Answer = { readonly report: RenderReport } | { readonly failure: Failure };

/** Renders in a child process, also where there is no credential. */
export async function renderInChild(
  settings: Settings,
  { signal, showProgress }: RenderHow,
): Promise<RenderReport> {
  signal.throwIfAborted();
  const child = fork(import.meta.filename, {
    env: environmentFor(settings),
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.stderr?.on("data", (piece: Buffer) => process.stderr.write(piece));
  using _stop = addAbortListener(signal, () => void child.kill("SIGTERM"));
  const { promise: answered, resolve, reject } = Promise.withResolvers<Answer>();
  child.on("message", (message: string | Answer) => {
    if (typeof message === "string") showProgress(message);
    else resolve(message);
  });
  child.once("error", reject);
  child.once("exit", (code, by) => {
    const why = `Cannot render: the process ended with ${by ?? code ?? "nothing"}`;
    resolve({ failure: failureOf(why) });
  });
  child.send(settings.outDir);
  try {
    const answer = await answered;
    signal.throwIfAborted();
    if ("report" in answer) return answer.report;
    throw errorOf(answer.failure);
  } finally {
    child.kill("SIGKILL");
  }
}

/** The other process: renders into the folder that it is sent, answers, and ends with the process that started it. */
if (import.meta.main) {
  const stop = new AbortController();
  process.on("SIGTERM", () => stop.abort(new Error("stopped by SIGTERM")));
  // A terminal sends it to both processes; the other one decides.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit(1));
  const showProgress = (line: string): void => void process.send?.(line);
  process.once("message", (outDir: string) => {
    void runAstro(ROOT, outDir, { signal: stop.signal, showProgress })
      .then((report): Answer => ({ report }))
      .catch((error: unknown): Answer => ({ failure: failureOf(error) }))
      .then((answer) => process.send?.(answer));
  });
}
