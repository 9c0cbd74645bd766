/** `npm run serve`: runs the embedded service. */
import { counted } from "../util/text.ts";
import { UsageError } from "../contract/errors.ts";
import { startService } from "../service/start.ts";
import { settingOf } from "../settings/sources.ts";
import { log, untilStopped, type Outcome, type ProgramContext } from "./program.ts";

export async function run({ settings, options, signal }: ProgramContext): Promise<Outcome> {
  const { servePageSize: pageSize, maxLimit, cors } = options;
  if (pageSize !== undefined && maxLimit !== undefined && pageSize > maxLimit) {
    throw new UsageError(
      `Cannot use --page-size ${pageSize}: --max-limit is ${maxLimit}; raise it or ask for less`,
    );
  }
  const service = await startService({
    data: options.data,
    db: options.db,
    publicUrl: options.publicUrl,
    allowedHosts: options.allowHost,
    pageSize,
    maxLimit,
    quota: options.quota,
    token: options.token ?? settings.service.token,
    // An origin has no path, but the option accepts an address with one.
    cors: cors && new URL(cors).origin,
    port: settingOf("servePort", options),
    log: settings.output.quiet ? undefined : log,
  });
  // On stdout, for programs that wait until the server is ready.
  const quotes = counted(service.store.count, "quote", (count) => count.toLocaleString("en"));
  process.stdout.write(`Serving ${quotes} at ${service.url}/\n`);
  await untilStopped(signal);
  await service.close();
  return {};
}
