/** The part of `csv-parse` that is used: the streaming parser, with the line of each record. */
declare module "csv-parse" {
  import type { Transform } from "node:stream";

  export interface CsvOptions {
    readonly delimiter: string;
    readonly from_line: number;
    readonly info: true;
    readonly max_record_size: number;
    readonly relax_column_count: boolean;
    readonly relax_quotes: boolean;
    readonly skip_records_with_empty_values: boolean;
  }

  /** @returns a stream of objects `{ record: string[], info: { lines: number } }` */
  export function parse(options: CsvOptions): Transform;

  export class CsvError extends Error {
    readonly code: string;
    readonly lines?: number;
  }
}
