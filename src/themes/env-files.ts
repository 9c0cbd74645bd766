/**
 * Refuses a secret in a file `.env`: Vite puts every variable of these files into `import.meta.env`, where each page and each
 * package of the site can print it. The command itself does not read them, so the audit would not know the secret either.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigurationError } from "../contract/errors.ts";
import { onDisk } from "../files/disk.ts";
import { nameOf } from "../files/name-of.ts";
import { SECRET_VARIABLES } from "../settings/sources.ts";

/** @throws {ConfigurationError} naming the file and the variable, never the value */
export function refuseSecretsInEnvFiles(root: string): void {
  // All modes: a file that no command of today reads is read by `astro build --mode`.
  const files = globSync(".env*", { cwd: root, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  for (const { name } of files) {
    const file = join(root, name);
    const variables = parseEnv(onDisk("read", file, () => readFileSync(file, "utf8")));
    const found = SECRET_VARIABLES.find((variable) => (variables[variable] ?? "") !== "");
    if (found === undefined) continue;
    throw new ConfigurationError(
      `Cannot use ${nameOf(file)}: it sets ${found}, which Astro shows to every page; put the credential into a file elsewhere and name it in ${found}_FILE`,
    );
  }
}
