/** Names files in messages. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's own folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the path from the project's folder where the file is below it, else the whole path; always with slashes. */
export function nameOf(file: string): string {
  const path = relative(ROOT, file);
  return (path.startsWith("..") ? file : path).replaceAll("\\", "/");
}
