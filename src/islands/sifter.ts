/** How fields that sift a list compare words: without accents and case, and an apostrophe as each keyboard types it. */
const plain = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’ʼ]/gu, "'").toLowerCase();

/** @returns a function that tells whether a text has all words that were typed; it has where none were */
export function sifter(typed: string): (text: string) => boolean {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  return (text) => {
    const compared = plain(text);
    return wanted.every((word) => compared.includes(word));
  };
}
