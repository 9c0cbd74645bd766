/** @returns the `errno` of an error that is told as a success (contract, section 7); null where the body is no error */
export function readErrorNumber(body: string): number | null {
  const found = /^\s*\{.*"errno"\s*:\s*(\d{3})\b/s.exec(body);
  return found === null ? null : Number(found[1]);
}
