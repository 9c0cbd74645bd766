/** `npm run serve`: the embedded service, until it is stopped. */
import { ConfigurationError } from "../contract/errors.ts";
import { startService } from "../service/start.ts";
import { SERVE_OPTIONS } from "../settings/options.ts";
import { say, untilStopped, type Program } from "./program.ts";

const DEFAULT_PORT = 8080;

export const serveProgram: Program = {
  name: "serve",
  summary: "Serves a collection of quotes by the contract; without --data, the embedded one.",
  options: SERVE_OPTIONS,
  async run({ settings, options, signal }) {
    const value = <T>(name: keyof typeof SERVE_OPTIONS): T | undefined => options[name] as T;
    const pageSize = value<number>("page-size");
    const maxLimit = value<number>("max-limit");
    if (pageSize !== undefined && maxLimit !== undefined && pageSize > maxLimit) {
      throw new ConfigurationError(
        `Cannot use --page-size ${pageSize}: --max-limit is ${maxLimit}`,
      );
    }
    const cors = value<string>("cors");
    const given = {
      data: value<string>("data"),
      db: value<string>("db"),
      publicUrl: value<string>("public-url"),
      allowedHosts: value<string[]>("allow-host"),
      pageSize,
      maxLimit,
      quota: value<{ requests: number; seconds: number }>("quota"),
      token: value<string>("token") ?? settings.service.token ?? undefined,
      // An origin has no path, though an address may.
      cors: cors === undefined ? undefined : new URL(cors).origin,
    };
    const service = await startService({
      ...present(given),
      port: value<number>("port") ?? DEFAULT_PORT,
      ...(value<boolean>("quiet") !== true && { say }),
    });
    // On stdout, for whoever waits for it: requests are answered from now on.
    const count = service.store.count.toLocaleString("en");
    process.stdout.write(`Serving ${count} quotes at ${service.url}/\n`);
    await untilStopped(signal);
    await service.close();
    return {};
  },
};

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The entries that have a value: an option that was not given is not the same as one given as nothing. */
function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}
