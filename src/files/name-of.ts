/** How messages name a file. */
import { relative } from "node:path";

/** The path from the working directory where the file is below it, else the whole path; with slashes on every system. */
export function nameOf(file: string): string {
  const path = relative(process.cwd(), file);
  return (path.startsWith("..") ? file : path).replaceAll("\\", "/");
}
