/** Work cut into pieces for the threads: enough to keep one from waiting, few enough to keep its memory small. */
import type { ForeignFragment, PageToAudit } from "../page/rules.ts";
import type { Task } from "./messages.ts";

const BATCH = 64;

export function pageTasks(pages: Iterable<PageToAudit>): Generator<Task> {
  return batches(pages, (some) => ({ kind: "pages", pages: some }));
}

export function fileTasks(files: Iterable<string>): Generator<Task> {
  return batches(files, (some) => ({ kind: "files", files: some }));
}

/** One by one: databases are large. */
export function otherTasks(folder: string, files: Iterable<string>): Generator<Task> {
  return batches(files, (some) => ({ kind: "others", folder, files: some }), 1);
}

/** By file, so that each is read once. */
export function fragmentTasks(wanted: ForeignFragment[]): Generator<Task> {
  wanted.sort((a, b) => (a.file < b.file ? -1 : 1));
  return batches(wanted, (some) => ({ kind: "fragments", fragments: some }));
}

function* batches<T>(
  items: Iterable<T>,
  task: (some: readonly T[]) => Task,
  size = BATCH,
): Generator<Task> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield task(batch);
    batch = [];
  }
  if (batch.length > 0) yield task(batch);
}
