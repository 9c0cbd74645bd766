/** A character for `fc.string({ unit })`. The library's own "binary" takes seconds to begin, as it lists all of Unicode. */
import fc from "fast-check";

/** Any code point, half a surrogate pair too; every second one is of the first thousand. */
export const anyCharacter = fc
  .oneof(fc.nat(0x3ff), fc.nat(0xffff), fc.nat(0x10_ffff), fc.nat(0x7f))
  .map((code) => String.fromCodePoint(code));
