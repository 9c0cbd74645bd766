/**
 * Snapshot → `dist`: runs Astro's build, in this process or in a child process without the credential. Needs no network.
 *
 * A theme is foreign code, which could read a credential in the memory of the process that harvests.
 */
import { fork } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { addAbortListener } from "node:events";
import {
  accessSync,
  constants,
  globSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import {
  ConfigurationError,
  DiskError,
  errorOf,
  failureOf,
  type Failure,
} from "../contract/errors.ts";
import { REMARKS_CHANNEL } from "../contract/remarks.ts";
import type { AstroInlineConfig } from "astro";
import { makeFolder } from "../files/disk.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { startPreparing } from "../render/prepare.ts";
import { RENDER_CHANNEL, type RenderMessage, type RenderReport } from "../render/render-channel.ts";
import { readSettings, renderEnvironment, type Settings } from "../settings/settings.ts";
import { siteData } from "../settings/site-data.ts";
import { themeFolders } from "../themes/theme.ts";
import { PREPARE_BUILD } from "./prepare-build.ts";
import { untilStopped } from "./program.ts";
import type { ShowProgress } from "./progress.ts";
import { explainFailure } from "./render-errors.ts";
import { loadSite, themePlaces } from "../themes/site-folder.ts";

export interface RenderHow {
  readonly signal: AbortSignal;
  readonly showProgress: ShowProgress;
}

/**
 * Renders every page that differs from the output folder, as `npx astro build` does; in a child process if the settings hold a
 * credential.
 *
 * @throws {NothingHarvested} when the state has no snapshot
 * @throws {ConfigurationError} for a mistake in a file of the fork
 * @throws the reason of `signal`
 */
export function renderApart(settings: Settings, how: RenderHow): Promise<RenderReport> {
  return (settings.secrets.length === 0 ? renderFromSnapshot : renderInChild)(settings, how);
}

export function renderFromSnapshot(settings: Settings, how: RenderHow): Promise<RenderReport> {
  Object.assign(process.env, environmentFor(settings));
  return runProject(settings, how);
}

/** Without the credential, which the command has removed from its environment. */
const environmentFor = (settings: Settings): NodeJS.ProcessEnv => ({
  ...process.env,
  ...renderEnvironment(settings),
  ASTRO_TELEMETRY_DISABLED: "1",
});

/** What the child process needs of the settings. */
type Places = Pick<Settings, "outDir" | "stateDir">;

async function runProject({ outDir, stateDir }: Places, how: RenderHow): Promise<RenderReport> {
  startPreparing(PREPARE_BUILD);
  // Loaded here, as Astro is.
  const { projectConfig } = await import("./astro-integration.ts");
  return runAstro(PROJECT_ROOT, outDir, how, await projectConfig(stateDir, outDir));
}

export async function runAstro(
  root: string,
  outDir: string,
  { signal, showProgress }: RenderHow,
  inline: AstroInlineConfig = {},
): Promise<RenderReport> {
  let report: RenderReport | undefined;
  const remarks = new Set<string>();
  const listenToPages = (message: unknown): void => void remarks.add(String(message));
  const listen = (message: unknown): void => {
    const progress = message as RenderMessage;
    if ("report" in progress) report = progress.report;
    else showProgress({ done: progress.rendered, of: progress.of, what: "pages" });
  };
  prepareTypes(root);
  subscribe(RENDER_CHANNEL, listen);
  subscribe(REMARKS_CHANNEL, listenToPages);
  const folder = process.cwd();
  makeFolder(outDir);
  const real = realpathSync.native(outDir);
  // Astro writes its bundle below the working directory, and renames files from there into the output folder.
  if (!`${real}${sep}`.startsWith(`${folder}${sep}`)) process.chdir(real);
  // A mistake in astro.config.mjs is reported with its own line.
  process.setSourceMapsEnabled(true);
  // Loaded here, since a process that knows the credential renders in another one.
  const { build } = await import("astro");
  try {
    signal.throwIfAborted();
    // `force`: a state that another machine kept may have content collections of older files.
    // Astro cannot be stopped: the process ends. Its threads write files atomically.
    await Promise.race([
      build({ ...inline, root, outDir: real, force: true }),
      untilStopped(signal),
    ]);
    signal.throwIfAborted();
  } catch (error) {
    rmSync(join(real, ".prerender"), { recursive: true, force: true });
    throw explainMistake(error);
  } finally {
    unsubscribe(RENDER_CHANNEL, listen);
    unsubscribe(REMARKS_CHANNEL, listenToPages);
    process.chdir(folder);
  }
  if (report !== undefined) return { ...report, remarks: [...remarks] };
  throw new ConfigurationError(
    "Cannot render: astro.config.mjs has no renderPages() in its integrations",
  );
}

/**
 * Makes `.astro`, where Astro writes types for editors: the one place beside state and output that it writes to. In a checkout that
 * may not be written, a link leads to a folder that may be.
 *
 * @throws {DiskError} when it cannot be made or written
 */
function prepareTypes(root: string): void {
  const folder = join(root, ".astro");
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    const real = stats?.isSymbolicLink() ? resolve(root, readlinkSync(folder)) : folder;
    mkdirSync(real, { recursive: true });
    accessSync(real, constants.W_OK);
  } catch (cause) {
    const { code = "failed" } = cause as NodeJS.ErrnoException;
    const advice = "make it a folder that this user may write to, or a link to one";
    throw new DiskError(`Cannot write ${folder}: ${code}; ${advice}`, { cause });
  }
}

/** Turns an error of Astro into a `ConfigurationError` where the fork has made a mistake. */
export const explainMistake = (error: unknown): unknown =>
  explainFailure(error, PROJECT_ROOT, forkFolders());

/** Folders and files of the fork: `site/`, its theme, collections and middleware in `src`, configuration of tools. */
function forkFolders(): string[] {
  const { theme } = readSettings({}, process.env, siteData().config).site;
  const places = themePlaces();
  const own = themeFolders(theme, places).filter((folder) =>
    relative(join(PACKAGE_ROOT, "src/themes"), folder).startsWith(".."),
  );
  const pattern = "{*.config,src/{content.config,middleware,middleware/**/*}}.{ts,js,mjs,cjs}";
  const files = globSync(pattern, { cwd: PROJECT_ROOT });
  return [places.site ?? [], files.map((file) => join(PROJECT_ROOT, file)), own].flat();
}

/** The last message of the child process, after lines of progress. */
type Answer = { readonly report: RenderReport } | { readonly failure: Failure };

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
  child.on("message", (message: Parameters<ShowProgress> | Answer) => {
    if (Array.isArray(message)) showProgress(...message);
    else resolve(message);
  });
  child.once("error", reject);
  child.once("exit", (code, by) => {
    const why = `Cannot render: the process ended with ${by ?? code ?? "nothing"}`;
    resolve({ failure: failureOf(why) });
  });
  const { outDir, stateDir } = settings;
  child.send({ outDir, stateDir } satisfies Places);
  try {
    const answer = await answered;
    signal.throwIfAborted();
    if ("report" in answer) return answer.report;
    throw errorOf(answer.failure);
  } finally {
    child.kill("SIGKILL");
  }
}

/** The child process: receives the output folder, renders, answers, and ends when its parent ends. */
if (import.meta.main) {
  const stop = new AbortController();
  process.on("SIGTERM", () => stop.abort(new Error("stopped by SIGTERM")));
  // A terminal sends these to both processes; the parent decides.
  for (const name of ["SIGINT", "SIGHUP"]) process.on(name, () => undefined);
  process.on("disconnect", () => process.exit(1));
  const showProgress: ShowProgress = (progress) => void process.send?.([progress]);
  process.once("message", (places: Places) => {
    void loadSite(process.env)
      .then(() => runProject(places, { signal: stop.signal, showProgress }))
      .then((report): Answer => ({ report }))
      .catch((error: unknown): Answer => ({ failure: failureOf(error) }))
      .then((answer) => process.send?.(answer));
  });
}
