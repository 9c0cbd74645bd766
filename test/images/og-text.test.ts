import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeMarkup } from "../../src/images/og/set.ts";
import { installFonts } from "../../src/images/og/install-fonts.ts";
import { segments, settable, shorten } from "../../src/images/og/text.ts";
import { tempFolder } from "../support/run/index.ts";
import { anyCharacter } from "../support/any-character.ts";

const fonts = await installFonts(tempFolder("fonts"));

test.each([
  ["keeps words", "Be brief.", "Be brief."],
  ["keeps lines and folds blanks", "one  two \n\n three\t four", "one two\nthree four"],
  ["keeps joiners, which scripts need", "क्\u200dष می\u200cروم", "क्\u200dष می\u200cروم"],
  ["drops emoji and flags", "brief 👍🏽 🇩🇪 ☃️!", "brief !"],
  ["leaves nothing of joined emoji and a soft hyphen", "👨‍👩‍👧 🏳️‍🌈 \u00ad", ""],
  ["keeps the digit of a keycap", "step 1️⃣", "step 1"],
  ["drops direction controls", "\u202eevil\u202c", "evil"],
  ["sets a dash for one that the fonts lack", "Be brief. ― Poe ‒ 9", "Be brief. — Poe – 9"],
  ["refuses what would be boxes", "春眠", null],
  ["refuses one letter we lack", "Be 春 brief", null],
])("settable() %s", (_, text, expected) => {
  expect(settable(text, fonts.covers)).toBe(expected);
});

test.each([
  ["a text that fits", "Be brief.", 20, "Be brief."],
  ["the end of a word", "Brevity is the soul of wit", 17, "Brevity is the…"],
  ["no comma before the ellipsis", "Brevity, the soul", 10, "Brevity…"],
  ["a word that is too long", "x".repeat(40), 30, `${"x".repeat(30)}…`],
  ["whole conjuncts", "क्षमा क्षमा", 2, "क्षमा…"],
])("shorten() keeps %s", (_, text, most, expected) => {
  expect(shorten(text, most)).toBe(expected);
});

test("shorten() never cuts inside of what is seen as one character", () => {
  const text = fc.array(fc.constantFrom("a", "e\u0301", "क्षि", "👩‍👩‍👧", "🇩🇪", " ", "ঙ্গ", "\r\n"));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (parts, most) => {
      const whole = parts.join("");
      const short = shorten(whole, most);
      const kept = segments(short.replace(/…$/, ""));
      expect(segments(whole).slice(0, kept.length)).toEqual(kept);
      expect(kept.length).toBeLessThanOrEqual(
        Math.max(most, segments(whole).length > most ? most : kept.length),
      );
    }),
  );
});

test("escapeMarkup() leaves nothing that markup could mean", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const escaped = escapeMarkup(text);
      expect(escaped).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot);)/);
      expect(escaped.isWellFormed()).toBe(true);
    }),
  );
});
