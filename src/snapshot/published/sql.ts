/** A path as an SQL text literal: statements that name files take no bound values. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
