/** The changelog is put together from one file a change. */
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  fragmentsOf,
  readFragments,
  SECTIONS,
  withFragments,
} from "../scripts/changelog/fragments.ts";
import { readFileSync } from "node:fs";

const ROOT = join(import.meta.dirname, "..");
const RELEASE = { version: "1.1.0", date: "2027-01-02" };

const OPEN = `# Changelog

## 1.1.0 (unreleased)

### Pages

- Old.

### Audit

- Strict.

## 1.0.0 (2026-12-01)

### Pages

- First.
`;

test("lines join the section of the version that is not released, which gets its date", () => {
  expect(
    withFragments(
      OPEN,
      readFragments("a.md", "### Pages\n\n- New.\n\n### Hosts\n\n- More.\n"),
      RELEASE,
    ),
  ).toBe(`# Changelog

## 1.1.0 (2027-01-02)

### Pages

- Old.
- New.

### Audit

- Strict.

### Hosts

- More.

## 1.0.0 (2026-12-01)

### Pages

- First.
`);
});

test("a version that the changelog lacks comes before all others", () => {
  const text = withFragments(OPEN, readFragments("a.md", "### Search\n\n- Found.\n"), {
    ...RELEASE,
    version: "2.0.0",
  });
  expect(
    text.indexOf("## 2.0.0 (2027-01-02)\n\n### Search\n\n- Found.\n\n## 1.1.0 (unr"),
  ).toBeGreaterThan(0);
});

test.each([
  ["no heading", "- A line.\n"],
  ["an unknown heading", "### Seach\n\n- A line.\n"],
  ["no list", "### Search\n\nA sentence.\n"],
  ["an unknown second heading", "### Search\n\n- A line.\n\n### Site\n\n- A line.\n"],
])("readFragments() names a file with %s", (_, text) => {
  expect(() => readFragments("changelog/unreleased/x.md", text)).toThrow(
    /^Cannot read changelog\/unreleased\/x\.md: expected "### Upgrade"/,
  );
});

test("the project's own files can be read, and its changelog has no other headings", () => {
  expect(() => fragmentsOf(ROOT)).not.toThrow();
  const headings = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").matchAll(/^### (.+)$/gm);
  for (const [, heading] of headings) expect(SECTIONS).toContain(heading);
});
