/** How messages name a file. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's own folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The path from the project's folder where the file is below it, else the whole path; with slashes on every system. */
export function nameOf(file: string): string {
  const path = relative(ROOT, file);
  return (path.startsWith("..") ? file : path).replaceAll("\\", "/");
}
