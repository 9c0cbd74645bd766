import { expect, test } from "vitest";
import { isDamaged } from "../../src/util/damage.ts";

test.each([
  ["It?s easier", "It’s easier"],
  ["libert? di opinione", "libertà di opinione"],
  ["libert?? di opinione", "libertà di opinione"],
  ["????? ?? ??????", "Никто не должен"],
  ["na\uFFFDve", "naïve"],
  ["?Why? he said", "‘Why’ he said"],
  ["naÃ¯ve", "naïve"],
  ["Itâ€™s easier", "It’s easier"],
  ["à la carte Ã ", "à la carte à"],
  ["Ã  la carte", "Ã  la carte", false],
  ["Ã§a va mal", "ça va bien", false],
  ["It’s easier", "Itâ€™s easier", false],
  ["Who am I?", "Who am I…", false],
  ["Is it so?", "Is it so!", false],
  ["Is it so? Yes", "Is it so? Yes", false],
  ["It’s easier", "It?s easier", false],
  ["Another ?text", "One text", false],
  ["The first words of a long…", "The first words of a longer sentence."],
  ["The first words of a ...", "The first words of a longer sentence."],
  ["The first words of a [...]", "The first words of a longer sentence."],
  // An author's own.
  ["The first words of another…", "The first words of a longer sentence.", false],
  ["Be yourself…", "Be yourself; everyone else is taken.", false],
  ["The first words of a longer sentence…", "The first words of a longer sentence.", false],
  [
    "The first words of a longer sentence.",
    "The first words of a longer sentence and more.",
    false,
  ],
] as const)("isDamaged(%j, %j), if nothing else is said", (text, whole, expected?: false) => {
  expect(isDamaged(text, whole)).toBe(expected ?? true);
});
