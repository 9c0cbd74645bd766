/** Files that another program holds for a moment, as virus scanners do on Windows. */
import { expect, test } from "vitest";
import { DiskError } from "../../src/contract/errors.ts";
import { onDisk } from "../../src/files/disk.ts";

/** Fails `times` times as the file system of Windows does, then returns how often it was called. */
function heldFor(times: number, code: string) {
  let calls = 0;
  return (): number => {
    calls++;
    if (calls <= times) {
      throw Object.assign(new Error(`${code}: rename`), { code, syscall: "rename" });
    }
    return calls;
  };
}

test.each(["EACCES", "EBUSY", "EPERM"])(
  "onDisk waits on Windows while a file is held: %s",
  (code) => {
    expect(onDisk("write", "current", heldFor(4, code), "win32")).toBe(5);
  },
);

test("onDisk names a file that stays held, after two seconds", () => {
  const started = performance.now();
  const work = (): number => onDisk("write", "current", heldFor(Infinity, "EBUSY"), "win32");
  expect(work).toThrow(new DiskError("Cannot write current: EBUSY, another program holds it"));
  expect(performance.now() - started).toBeGreaterThan(1_900);
});

test.each([
  ["ENOSPC", "win32", "ENOSPC"],
  ["EACCES", "linux", "EACCES"],
  ["EPERM", "darwin", "EPERM"],
  ["EBUSY", "linux", "EBUSY, another program holds it"],
] as const)("onDisk reports %s on %s at once", (code, platform, reason) => {
  const work = heldFor(1, code);
  const act = (): number => onDisk("write", "current", work, platform);
  expect(act).toThrow(new DiskError(`Cannot write current: ${reason}`));
  expect(work()).toBe(2);
});
