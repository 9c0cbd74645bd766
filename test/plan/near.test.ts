/** Pages near each other are those that show the same quotes, and every share gets its part. */
import { expect, test } from "vitest";
import { nearOf } from "../../src/plan/near.ts";

test("a listing's pages are spread from first to last, in order", () => {
  const places = [1, 2, 3, 4].map((page) => nearOf({ slug: "hope", page, pages: 4 }));
  for (const [index, place] of places.entries()) {
    expect(place).toBeGreaterThanOrEqual(index / 4);
    expect(place).toBeLessThan((index + 1) / 4);
  }
});

test("listings of one page are spread evenly", () => {
  const shares = [0, 0, 0, 0];
  for (let author = 0; author < 4_000; author++) {
    const near = nearOf({ slug: `author-${author}`, page: 1, pages: 1 });
    shares[Math.floor(near * 4)]! += 1;
  }
  for (const share of shares) expect(Math.abs(share - 1_000)).toBeLessThan(120);
});
