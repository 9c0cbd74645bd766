/** Names files in messages. */
import { relative } from "node:path";
import { PROJECT_ROOT } from "./roots.ts";

/** Returns the path from the project's folder where the file is below it, else the whole path; always with slashes. */
export function nameOf(file: string): string {
  const path = relative(PROJECT_ROOT, file);
  return (path.startsWith("..") ? file : path).replaceAll("\\", "/");
}
