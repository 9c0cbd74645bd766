/** Reads the published snapshot: immutable, so a connection may stay open as long as pages are made. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Quote, ServedWords } from "../contract/quote.ts";
import { Database } from "../sqlite/database.ts";

interface Row extends Omit<Quote, "tags" | "served"> {
  readonly tags: string;
  readonly served: string | null;
}

const COLUMNS = "id, text, author, likes, tags, image, language, served";

export class PublishedSnapshot {
  readonly id: string;
  readonly path: string;
  readonly #db: Database;

  constructor(id: string, path: string) {
    this.id = id;
    this.path = path;
    this.#db = new Database(path, { readOnly: true });
  }

  quote(id: number): Quote | undefined {
    const row = this.#db.get<Row>(`SELECT ${COLUMNS} FROM quotes WHERE id = ?`, id);
    return row === undefined ? undefined : toQuote(row);
  }

  quotes(ids: readonly number[]): Quote[] {
    return ids.map((id) => this.quote(id)).filter((quote) => quote !== undefined);
  }

  fact<T>(key: string): T | undefined {
    const row = this.#db.get<{ value: string }>("SELECT value FROM facts WHERE key = ?", key);
    return row === undefined ? undefined : (JSON.parse(row.value) as T);
  }

  close(): void {
    this.#db.close();
  }
}

/** Null when nothing was ever published. */
export function openPublished(stateDir: string): PublishedSnapshot | null {
  const pointer = join(stateDir, "current");
  if (!existsSync(pointer)) return null;
  const id = readFileSync(pointer, "utf8").trim();
  return new PublishedSnapshot(id, join(stateDir, "snapshots", `${id}.sqlite`));
}

function toQuote(row: Row): Quote {
  return {
    ...row,
    tags: JSON.parse(row.tags) as string[],
    served: row.served === null ? null : (JSON.parse(row.served) as ServedWords),
  };
}
