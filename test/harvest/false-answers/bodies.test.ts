/** Bodies that are nested deep: no run crashes, and the night after is whole. */
import { expect, test } from "vitest";
import { settingsFor } from "../../support/run/index.ts";
import { isList, type Answer } from "./table.ts";
import { begin, expectWhole } from "./nights.ts";

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const raw = (body: string, status = 200): Answer => ({ status, body, type: "application/json" });

test.each<[string, (page: unknown) => Answer]>([
  ["the body", () => raw(DEEP)],
  ["a record", (page) => raw(JSON.stringify(page).replace("[{", `[${DEEP},{`))],
  ["a field", (page) => raw(JSON.stringify(page).replace(/"pk":[^,]*/, `"pk":${DEEP}`))],
  ["next", (page) => raw(JSON.stringify(page).replace(/"next":[^,]*/, `"next":${DEEP}`))],
  ["the detail of a 400", () => raw(`{"detail":${DEEP}}`, 400)],
  ["the detail of a 429", () => raw(`{"detail":${DEEP}}`, 429)],
  ["the detail of a 500", () => raw(`{"detail":${DEEP}}`, 500)],
])("JSON nested 100,000 deep as %s, once and for a night: no crash", async (_, deepen) => {
  const cases = [
    [[1], null],
    [[3], "a-token-that-is-looked-for"],
    [null, null],
  ] as const;
  for (const [lists, token] of cases) {
    const nights = await begin(100, 20);
    nights.service.script = (asked) =>
      isList(asked) && (lists === null || lists.some((list) => list === asked.list))
        ? deepen(asked.truth.body)
        : null;
    const { service } = settingsFor(nights.service.url, nights.stateDir);
    await nights.run({}, { service: { ...service, token } });
    nights.service.script = () => null;
    // A night later than any wait that was asked for.
    await nights.run();
    expect((await nights.run()).status).toBe(0);
    expectWhole(nights);
  }
});
