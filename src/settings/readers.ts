/** What options and variables may say: text in, checked value out. */
import { z } from "zod";

/** Text in, value out; the message says what would have been right. */
export type Reader = z.ZodType<unknown, string>;

export const wholeNumber = (least: number, most: number): Reader =>
  z
    .string()
    .regex(/^\d{1,15}$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `expected ${least} to ${most}`);

export const names: Reader = z.string().transform((list) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
);

export const origin: Reader = z
  .url({ protocol: /^https?$/, error: "expected an http or https address" })
  .refine((address) => {
    const url = URL.parse(address);
    // What is no address at all was refused as such.
    return url === null || url.username + url.password + url.search + url.hash === "";
  }, "expected an address without credentials, query or fragment")
  .transform((address) => address.replace(/\/+$/, ""));

/** How often something may happen: so many in so many seconds. */
export const rate: Reader = z
  .string()
  .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,8}$/, "expected N/SECONDS, such as 500/3600")
  .transform((text) => {
    const [requests = 1, seconds = 1] = text.split("/").map(Number);
    return { requests, seconds };
  });

/** One of so many shares. */
export const share: Reader = z
  .string()
  .regex(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, "expected I/N, such as 1/4")
  .transform((text) => {
    const [index = 1, count = 1] = text.split("/").map(Number);
    return { index, count };
  })
  .refine(({ index, count }) => index <= count, "expected I to be at most N");

export const port = wholeNumber(0, 65_535);

export const path: Reader = z.string().min(1, "expected a folder");
