/** Starts the embedded service where the settings name no service: for a harvest, and for votes in `dev` and `preview`. */
import { basename } from "node:path";
import { ConfigurationError, PublishRefused, UsageError } from "../contract/errors.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import type { Loaded } from "../service/load.ts";
import { isLoopback, type Settings } from "../settings/settings.ts";
import { siteFolder } from "../themes/site-folder.ts";
import { counted } from "../util/text.ts";
import { log } from "./program.ts";

/** The origin of its pictures: a host that does not exist (RFC 2606), because its port differs in each run. */
export const EMBEDDED_ORIGIN = "http://embedded.invalid";

/** The embedded service of a run; empty where the settings name a service. */
export interface Served {
  readonly embeddedUrl?: string;
  /** Remarks on the operator's own file, for the report. */
  readonly fileRemarks?: readonly string[];
}

/**
 * Calls `work` with the embedded service, which serves the operator's own file where the settings name one. Nothing is
 * started where they name a service.
 *
 * @param onFailure called before the failure of an own file is thrown
 * @throws {ConfigurationError} when the own file cannot be read
 * @throws {PublishRefused} when too many of its records are invalid
 */
export async function withService<T>(
  settings: Settings,
  work: (served: Served) => Promise<T>,
  onFailure: (failure: unknown) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  if (settings.service.baseUrl !== null) return work({});
  const { startService } = await import("../service/start.ts");
  const { data } = settings.service;
  if (data === null) {
    const service = await startService({ publicUrl: EMBEDDED_ORIGIN }).catch(nameMissingSite);
    return work({ embeddedUrl: service.url }).finally(() => service.close());
  }
  const service = await startOwn(data, settings).catch(async (error: unknown) => {
    await onFailure(error);
    throw error;
  });
  const fileRemarks = service.loaded === null ? [] : remarksOn(basename(data), service.loaded);
  return work({ embeddedUrl: service.url, fileRemarks }).finally(() => service.close());
}

/** The packages of the collection may be missing since the command runs in another folder than that of the site. */
function nameMissingSite(error: unknown): never {
  if (!(error instanceof ConfigurationError) || siteFolder() !== null) throw error;
  throw new ConfigurationError(
    `${error.message}; where a site has its own quotes, run the command in its folder: ${PROJECT_ROOT} has no site/`,
    { cause: error },
  );
}

/** Quotes in an answer of the service of an own file: nothing is gained by more requests. */
const OWN_PAGE = 1_000;

async function startOwn(data: string, { site, walk }: Settings) {
  const { startService } = await import("../service/start.ts");
  const { TooManyInvalid } = await import("../service/load.ts");
  const own = { language: site.dataLanguage ?? null, maxUnreadable: walk.maxUnreadable };
  const paging = { pageSize: OWN_PAGE, maxLimit: OWN_PAGE };
  return await startService({ data, own, publicUrl: EMBEDDED_ORIGIN, ...paging }).catch(
    (error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      const Failure = error instanceof TooManyInvalid ? PublishRefused : ConfigurationError;
      throw new Failure(error.message, { cause: error });
    },
  );
}

function remarksOn(name: string, { bad, faults, known, undetermined }: Loaded): string[] {
  const more = bad > faults.length ? ", …" : "";
  return [
    bad > 0 && `${name}: ${counted(bad, "record")} left out: ${faults.join(", ")}${more}`,
    known > 0 && `${name}: ${counted(known, "record")} left out that repeat a quote of the file`,
    undetermined > 0 &&
      `${name}: ${counted(undetermined, "quote")} without a language; set \`dataLanguage\` in site/config.ts where it is one for all`,
  ].filter((line) => typeof line === "string");
}

/**
 * Calls `work` with the embedded service running at the vote address, if votes go there. It forgets the votes afterwards.
 *
 * @param site origin whose pages may read the answers
 */
export async function withLocalVotes<T>(
  { service, voteBaseUrl }: Settings,
  site: string,
  work: () => Promise<T>,
): Promise<T> {
  const isEmbedded = service.baseUrl === null && service.data === null;
  if (!isEmbedded || voteBaseUrl === null || !isLoopback(voteBaseUrl)) return work();
  const { startService } = await import("../service/start.ts");
  const { hostname, port } = new URL(voteBaseUrl);
  // An IPv6 address has brackets in a URL, and none in a socket.
  const host = hostname.replace(/^\[|\]$/g, "");
  const started = startService({ host, port: Number(port || 80), cors: site });
  const votes = await started.catch((error: unknown) => {
    // Another program has the port, which may or may not accept votes.
    if (!(error instanceof ConfigurationError)) throw error;
    log(`Votes go to the program that answers at ${voteBaseUrl}: ${error.message}`);
    return null;
  });
  return work().finally(() => votes?.close());
}
