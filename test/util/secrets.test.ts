import fc from "fast-check";
import { expect, test } from "vitest";
import { CANARY, ENCODINGS } from "../canary/canary.ts";
import { escapeHtml } from "../../src/util/text.ts";
import { encodingsOf, SecretFinder, SHORTEST_SECRET } from "../../src/util/secrets.ts";

const VALUE = `cnry/7f3A+c41&b9"e0*5'd<`;
const finder = new SecretFinder([{ name: "TOKEN", value: VALUE }]);

test.each(
  Object.entries(ENCODINGS).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)),
)("SecretFinder finds a secret %s: %s", (_, text) => {
  const canary = new SecretFinder([{ name: "TOKEN", value: CANARY }]);
  const found = canary.find(Buffer.from(`\xff${text}!`, "latin1"));
  expect(found).toMatchObject({ name: "TOKEN", start: 1, end: 1 + text.length });
  expect(canary.redact(`é ${text}!`)).toBe("é …!");
});

const escapeOf = (sign: string): string => sign.charCodeAt(0).toString(16);

test.each<[string, (secret: string) => string]>([
  ["a path", (secret) => `/${encodeURIComponent(secret).replaceAll("%2F", "/")}/`],
  ["a query", (secret) => new URLSearchParams({ token: secret }).toString()],
  ["JSON", (secret) => JSON.stringify({ secret })],
  ["JSON for HTML", (secret) => JSON.stringify(secret).replaceAll("&", "\\u0026")],
  ["a header in base64", (secret) => btoa(`Authorization: Token ${secret}\r\n`)],
  ["a login in base64url", (secret) => Buffer.from(`me:${secret}:x`).toString("base64url")],
  ["rawurlencode", (secret) => secret.replace(/[^\w]/g, (sign) => `%${escapeOf(sign)}`)],
  ["an odd link", (secret) => secret.replace("cn", "%63n").replaceAll("%", "%25")],
  ["an attribute", (secret) => secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;")],
  ["JSON in an attribute", (secret) => escapeHtml(JSON.stringify(secret))],
  ["PHP", (secret) => escapeHtml(secret).replaceAll("'", "&#039;")],
  ["a slug", (secret) => secret.toLowerCase()],
])("SecretFinder finds what %s makes of it", (_, write) => {
  expect(finder.find(Buffer.from(write(VALUE)))).not.toBeNull();
});

const anySecret = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: SHORTEST_SECRET,
  maxLength: 80,
});

test("SecretFinder finds any secret in any place, and what is left holds none", () => {
  fc.assert(
    fc.property(anySecret, fc.string(), fc.string(), fc.nat(40), (value, before, after, pick) => {
      const some = new SecretFinder([{ name: "a", value }]);
      const all = Object.values(encodingsOf(value)).flat();
      const text = `${before}${all[pick % all.length] ?? ""}${after}`;
      expect(some.find(Buffer.from(text))).not.toBeNull();
      const clean = some.redact(text);
      expect(some.find(Buffer.from(clean, "latin1"))).toBeNull();
      expect(clean.startsWith(before) || text.indexOf(clean.slice(0, 3)) >= 0).toBe(true);
    }),
  );
});

test("SecretFinder agrees with a plain search", () => {
  const near = fc.array(fc.constantFrom(...VALUE, "x"), { maxLength: 60 });
  fc.assert(
    fc.property(near, near, fc.boolean(), (before, after, there) => {
      const text = before.join("") + (there ? VALUE : VALUE.slice(0, -1)) + after.join("");
      const plain = text.toLowerCase().indexOf(VALUE.toLowerCase());
      expect(finder.find(Buffer.from(text))?.start ?? -1).toBe(plain);
    }),
  );
});

test("two secrets are distinguished, and one that is too short is ignored", () => {
  const two = new SecretFinder([
    { name: "A", value: "first-secret" },
    { name: "B", value: "second-secret-that-is-longer" },
    { name: "C", value: "short" },
  ]);
  expect(two.tooShort).toEqual(["C"]);
  expect(two.names).toEqual(["A", "B"]);
  expect(two.find(Buffer.from("x second-secret-that-is-longer"))?.name).toBe("B");
  expect(two.redact("first-secret, short, first-secret")).toBe("…, short, …");
});
