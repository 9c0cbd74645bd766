/** A temporary copy of the tree, in which bugs are seeded: the tree itself is never changed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tierArgs } from "../../../test/support/tier.ts";
import { applied, type Mutant } from "./mutant.ts";

const ROOT = join(import.meta.dirname, "../../..");

export type Verdict = "caught" | "survived" | "hung";

export class TreeCopy {
  readonly root = mkdtempSync(join(tmpdir(), "commonplace-mutate-"));
  /** Every file of the project, by its path. */
  readonly files: readonly string[];

  constructor() {
    const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    const { stdout } = spawnSync("git", listed, { cwd: ROOT, maxBuffer: 1e8 });
    // Git lists removed files too.
    this.files = stdout
      .toString()
      .split("\0")
      .filter((file) => file !== "" && existsSync(join(ROOT, file)));
    for (const file of this.files) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      cpSync(join(ROOT, file), join(this.root, file));
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.root, "node_modules"), "junction");
  }

  /** The text of a file; empty where there is none. */
  read(file: string): string {
    return existsSync(join(this.root, file)) ? readFileSync(join(this.root, file), "utf8") : "";
  }

  /** Runs tests with a bug; `hung` where they did not end in time. */
  async test(mutant: Mutant | null, tests: readonly string[], limitMs: number): Promise<Verdict> {
    if (mutant === null) return this.#run(tests, limitMs);
    const path = join(this.root, mutant.file);
    const source = this.read(mutant.file);
    writeFileSync(path, applied(source, mutant));
    try {
      return await this.#run(tests, limitMs);
    } finally {
      writeFileSync(path, source);
    }
  }

  async #run(tests: readonly string[], limitMs: number): Promise<Verdict> {
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const child = spawn(
      process.execPath,
      [vitest, "run", "--maxWorkers=1", "--bail=1", "--reporter=dot", ...tierArgs(false), ...tests],
      // A group of its own, which ends with all that the tests started.
      // The first tier must catch it.
      { cwd: this.root, stdio: "ignore", detached: true, env: { ...process.env, TESTS: "" } },
    );
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    const [status] = (await once(child, "exit")) as [number | null];
    clearTimeout(timer);
    if (isLate) return "hung";
    return status === 0 ? "survived" : "caught";
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
