/** Where a quote stands is told by small files, `/api/v1/where/<n>.json`: a quote's is the remainder of its pk. */

export const PLACE_FILES = 128;
