import { expect, test } from "vitest";
import { EXIT, SIGNAL_STATUS, adviceFor, withNextStep } from "../../src/contract/errors.ts";

const SIGNALS: readonly number[] = Object.values(SIGNAL_STATUS);

test.each([...Object.values(EXIT), ...SIGNALS].filter((status) => status !== EXIT.done))(
  "adviceFor(%i) is whole sentences, and the clause of the terminal is among them",
  (status) => {
    const advice = adviceFor(status);
    expect(advice).toMatch(/^[A-Z`].*[.?]$/);
    const clause = withNextStep("", status).slice(2);
    expect(advice.toLowerCase()).toContain(clause);
  },
);

test("no next step follows success", () => {
  expect(adviceFor(EXIT.done)).toBe("");
  expect(withNextStep("Done", EXIT.done)).toBe("Done");
});

test("a bug and a wrong command line say in the terminal what they have to say themselves", () => {
  expect(withNextStep("Cannot read --x", EXIT.usage)).toBe("Cannot read --x");
  expect(withNextStep("TypeError", EXIT.bug)).toBe("TypeError");
});
