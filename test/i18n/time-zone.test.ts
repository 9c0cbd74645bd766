/** Days are those of UTC, wherever the site is built. */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Zones a day ahead and a day behind. */
const ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];

test.each(ZONES)("a machine in %s shows the same days", async (zone) => {
  vi.stubEnv("TZ", zone);
  vi.resetModules();
  // The zone is really another.
  expect(new Date(0).getTimezoneOffset()).not.toBe(0);
  const { localeOf } = await import("../../src/i18n/locale.ts");
  for (const time of ["00:00:01", "12:00:00", "23:59:59"]) {
    expect(localeOf("en", "en").date(`2026-11-21T${time}Z`)).toBe("November 21, 2026");
  }
  const { dayOf } = await import("../../src/site/index.ts");
  expect(dayOf(new Date("2026-11-21T23:59:59Z"))).toBe("2026-11-21");
  expect(dayOf(new Date("2026-11-21T00:00:00Z"))).toBe("2026-11-21");
});
