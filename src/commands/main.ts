/** `commonplace COMMAND`: reads the command line and runs the module of the command. */
import { SecretFinder } from "../util/secrets.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { isLoopback, readSettings } from "../settings/settings.ts";
import type { SiteConfig } from "../settings/site-config.ts";
import { secretsIn } from "../settings/sources.ts";
import { loadConfig, loadConfigApart } from "../themes/load-config.ts";
import { loadSite, refuseFolderBelowSite, themePlaces } from "../themes/site-folder.ts";
import { themeFolders } from "../themes/theme.ts";
import { readCommandLine } from "./command-line.ts";
import { commandOf, type CommandName } from "./commands.ts";
import { withOwnFolders } from "./own-folders.ts";
import { inProcess, log, type Outcome, type Program } from "./program.ts";
import { forgetCredential, guardOutput, withCredentialFile } from "./secrets.ts";

/** The module of each command, loaded when it runs: `--help` loads none. */
export const PROGRAMS: Readonly<Record<CommandName, () => Promise<Program>>> = {
  build: () => import("./build.ts"),
  harvest: () => import("./harvest.ts"),
  render: () => import("./render.ts"),
  merge: () => import("./merge.ts"),
  plan: () => import("./plan.ts"),
  doctor: () => import("./doctor.ts"),
  authors: () => import("./authors.ts"),
  copies: () => import("./copies.ts"),
  audit: () => import("./audit.ts"),
  export: () => import("./export.ts"),
  snapshots: () => import("./snapshots.ts"),
  serve: () => import("./serve.ts"),
  relay: () => import("./relay.ts"),
  dev: () => import("./dev.ts"),
  preview: () => import("./preview.ts"),
  init: () => import("./init.ts"),
  theme: () => import("./theme.ts"),
  eject: () => import("./eject.ts"),
  screenshots: () => import("./screenshots.ts"),
  completions: () => import("./completions.ts"),
};

/** Commands that read and make no site: they run anywhere. */
const WITHOUT_SITE: readonly CommandName[] = ["init", "serve", "completions"];

/** Runs the command that the arguments of the process name, and sets the exit status. */
export function main(): Promise<void> {
  const argv = process.argv.slice(2);
  return inProcess(argv.includes("--json"), (signal) => run(argv, signal));
}

async function run(argv: readonly string[], signal: AbortSignal): Promise<Outcome> {
  // Before anything can fail: a message must not print a credential that was given in the wrong place.
  guardOutput(new SecretFinder(secretsIn(process.env, {})));
  const request = readCommandLine(argv);
  if (request.kind === "print") return { text: request.text.trimEnd() };
  const { command, options, words, idle } = request;
  if (!WITHOUT_SITE.includes(command)) refuseFolderBelowSite(process.env);
  const { writes = "nothing" } = commandOf(command);
  const env = { ...withCredentialFile(options) };
  const secrets = secretsIn(env, options);
  guardOutput(new SecretFinder(secrets));
  // Before any code of the site runs, in this process or another: /proc would show the credential to it.
  forgetCredential(secrets);
  // The module of the command is loaded at the same time.
  const [{ config }, program] = await Promise.all([
    loadSite(process.env, secrets.length === 0 ? loadConfig : loadConfigApart),
    PROGRAMS[command](),
  ]);
  const settings = readSettings(options, env, config);
  if (writes === "site") refuseUnusable(settings.site);
  if (!settings.output.quiet) {
    for (const name of idle) log(`--${name} has no effect in ${command}`);
  }
  return withOwnFolders(settings, writes, async () =>
    program.run({ settings, options, words, signal }),
  );
}

/** Finds mistakes that would end the render: they must not cost the requests of a harvest. */
function refuseUnusable({ host, url, theme }: SiteConfig): void {
  if (host !== "none" && isLoopback(url)) {
    throw new ConfigurationError(
      `Cannot make a site for ${host}: its address is ${url}; set SITE_URL, such as SITE_URL=https://quotes.example`,
    );
  }
  themeFolders(theme, themePlaces());
}
