/** Number of files `/api/v1/where/<n>.json`, which map the pk of a quote to its page: n is the pk modulo this number. */
export const PLACE_FILES = 128;
