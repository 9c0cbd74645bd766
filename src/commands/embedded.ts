/** The embedded service replaces a real one when the settings name none. */
import type { Settings } from "../settings/settings.ts";

/**
 * Where its pictures say they are: a host that does not exist (RFC 2606), so that their addresses stay the same while
 * its port does not.
 */
export const EMBEDDED_ORIGIN = "http://embedded.invalid";

/** Does `work` with the address of an embedded service, or with undefined where the settings name a service. */
export async function withService<T>(
  settings: Settings,
  work: (embeddedUrl: string | undefined) => Promise<T>,
): Promise<T> {
  if (settings.service.baseUrl !== null) return work(undefined);
  const { startService } = await import("../service/start.ts");
  const service = await startService({ publicUrl: EMBEDDED_ORIGIN });
  try {
    return await work(service.url);
  } finally {
    await service.close();
  }
}
