/** What the address of a page says: of which list it is, from where on, and of how many rows. */

/** Without the number of rows: pages of one place fail alike. */
export const placeOf = (address: string): string =>
  address.replace(/([?&])limit=\d+&?/, "$1").replace(/[?&]$/, "");

export const listOf = (address: string): string =>
  placeOf(address)
    .replace(/([?&])offset=\d+&?/, "$1")
    .replace(/[?&]$/, "");

/** 0 where it names none. */
export const limitOf = (address: string): number => numberIn(address, /[?&]limit=(\d+)/);

/** 0 where it names none. */
export const offsetOf = (address: string): number => numberIn(address, /[?&]offset=(\d+)/);

const numberIn = (address: string, pattern: RegExp): number =>
  Number(pattern.exec(address)?.[1] ?? 0);
