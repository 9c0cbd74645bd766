/** `npm run serve`: the embedded service, until it is stopped. */
import { ConfigurationError } from "../contract/errors.ts";
import { startService } from "../service/start.ts";
import { settingOf } from "../settings/sources.ts";
import { say, untilStopped, type Outcome, type ProgramContext } from "./program.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { servePageSize: pageSize, maxLimit, cors } = options;
  if (pageSize !== undefined && maxLimit !== undefined && pageSize > maxLimit) {
    throw new ConfigurationError(
      `Cannot use --page-size ${pageSize}: --max-limit is ${maxLimit}; raise it or ask for less`,
    );
  }
  const given = {
    data: options.data,
    db: options.db,
    publicUrl: options.publicUrl,
    allowedHosts: options.allowHost,
    pageSize,
    maxLimit,
    quota: options.quota,
    token: options.token ?? settings.service.token ?? undefined,
    // An origin has no path, though an address may.
    cors: cors === undefined ? undefined : new URL(cors).origin,
  };
  const service = await startService({
    ...present(given),
    port: settingOf("servePort", options),
    ...(!settings.output.quiet && { say }),
  });
  // On stdout, for programs that wait for it: requests are answered from now on.
  const count = service.store.count.toLocaleString("en");
  process.stdout.write(`Serving ${count} quotes at ${service.url}/\n`);
  await untilStopped(signal);
  await service.close();
  return {};
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The entries that have a value: an option that was not given is not the same as one given as nothing. */
function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}
