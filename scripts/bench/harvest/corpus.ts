/** Quotes to measure with: as many as asked for, the same each time, of about the length that quotes have. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";

const WORDS =
  "the a of and to in that is was for on with as his they at be this have from or one had by word but what some we can out other were all there when up use your how said an each she which do their time if will way about many then them write would like so these her long make thing see him two has look more day could go come did number sound no most people my over know water than call first who may down side been now find".split(
    " ",
  );
const LANGUAGES = ["en", "en", "en", "en", "ru", "pt", "de", "es", "fr", "it"];

/** Writes one JSON a line, in the contract's field names. */
export async function writeCorpus(path: string, quotes: number): Promise<void> {
  const file = createWriteStream(path);
  for (let pk = 1; pk <= quotes; pk += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, quotes - pk + 1) }, (_, at) =>
      line(pk + at),
    );
    if (!file.write(lines.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

function line(pk: number): string {
  // Multiplying by an odd number and keeping the low bits scatters well enough.
  const seededRandom = Math.imul(pk, 2_654_435_761) >>> 0;
  const words = Array.from(
    { length: 8 + (seededRandom % 25) },
    (_, at) => WORDS[((seededRandom >>> (at % 17)) + at * 31) % WORDS.length],
  );
  return `${JSON.stringify({
    pk,
    quote: `${words.join(" ")}.`,
    author: pk % 11 === 0 ? null : `Author ${seededRandom % 30_000}`,
    likes: seededRandom % 1_000,
    tags: [`tag-${seededRandom % 300}`, `tag-${(seededRandom >>> 9) % 300}`],
    image: null,
    language: LANGUAGES[seededRandom % LANGUAGES.length],
  })}\n`;
}
