/** The published schema, version 1. Readers rely on it; it changes only together with its number. */
import { QUOTE_COLUMNS_SQL } from "../row.ts";

export const PUBLISHED_VERSION = 1;

export const publishedSchema = (schema: string): string => `
  CREATE TABLE ${schema}.quotes (${QUOTE_COLUMNS_SQL}) STRICT;
  CREATE TABLE ${schema}.tags (name TEXT PRIMARY KEY, slug TEXT NOT NULL) STRICT;
  CREATE TABLE ${schema}.facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- Quotes that a person chose: known only where there is a fact "curated"; older snapshots lack the table.
  CREATE TABLE ${schema}.curated (id INTEGER PRIMARY KEY) STRICT;
  -- Quotes that an earlier whole snapshot lacked, and when they were first published (ISO 8601); older snapshots lack it.
  CREATE TABLE ${schema}.first_seen (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  -- Tombstones: quotes that were published once and are gone, and when that was found out (ISO 8601).
  CREATE TABLE ${schema}.gone (id INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT;
  PRAGMA ${schema}.user_version = ${PUBLISHED_VERSION};
`;
