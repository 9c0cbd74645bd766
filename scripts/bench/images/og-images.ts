/** `node og-images.ts`: draws Open Graph images in seven scripts, and prints the milliseconds of CPU that one takes. */
import sharp from "sharp";
import { languageOf } from "../../../src/contract/languages.ts";
import { drawOgImage } from "../../../src/images/og/draw.ts";

/** Beginnings of article 1 of the Universal Declaration of Human Rights. */
const WORDS: Readonly<Record<string, string>> = {
  en: "All human beings are born free and equal in dignity and rights. They are endowed with reason.",
  ar: "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق، وقد وهبوا عقلًا وضميرًا.",
  he: "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.",
  hi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
  be: "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
  te: "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు.",
  ru: "Все люди рождаются свободными и равными в своём достоинстве и правах.",
};

const ROUNDS = 15;
const theme = { paper: "#fbf8f1", ink: "#201a14", muted: "#675c4f", accent: "#97281a" };
sharp.concurrency(1);
const cpuMs: Record<string, number> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [code, text] of Object.entries(WORDS)) {
    const before = process.cpuUsage();
    await drawOgImage({
      ...{ text: `${text} ${round}`, byline: "An author", style: "quote", shape: "wide", theme },
      ...{ language: languageOf(code), site: "Commonplace", attribution: "Quotes by a service" },
    });
    const { user, system } = process.cpuUsage(before);
    cpuMs[code] = (cpuMs[code] ?? 0) + (user + system) / 1_000 / ROUNDS;
  }
}
console.log(JSON.stringify(cpuMs));
