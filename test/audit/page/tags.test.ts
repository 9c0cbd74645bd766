import fc from "fast-check";
import { expect, test } from "vitest";
import { readTags } from "../../../src/audit/html/tags.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** Tags as `name`, `/name`, or `name id=value` where they have an id. */
function read(html: string): string[] {
  const seen: string[] = [];
  readTags(html, (tag) => {
    const id = tag.get("id");
    seen.push(`${tag.closing ? "/" : ""}${tag.name}${id === undefined ? "" : ` id=${id}`}`);
  });
  return seen;
}

test.each<[string, string, string[]]>([
  ["names in any case", "<P ID=x></P>", ["p id=x", "/p"]],
  ["values in any quotes", `<a id="1"><a id='2'><a id=3>`, ["a id=1", "a id=2", "a id=3"]],
  ["the value of the attribute that was asked for", `<a title="a>b"id="x">`, ["a id=x"]],
  ["an attribute without value", "<a hidden id>", ["a id="]],
  ["self-closing tags", `<img id="x"/><br/>`, ["img id=x", "br"]],
  ["entities in a value", `<a id="a&amp;b&#60;&#x3e;&quot;">`, [`a id=a&b<>"`]],
  ["no comment and no doctype", `<!DOCTYPE html><!-- <a id="x"> --><b>`, ["b"]],
  ["nothing in a script", `<script>if (a<b) "<a>"</script><b>`, ["script", "/script", "b"]],
  ["no tag that is cut off at the end", `<b><a id="x`, ["b"]],
  ["the first of two attributes of one name, as browsers do", `<a id="1" id="2">`, ["a id=1"]],
])("readTags() reads %s", (_, html, expected) => {
  expect(read(html)).toEqual(expected);
});

test("text that was escaped never makes a tag, whatever it is", () => {
  const escape = (text: string): string =>
    text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(read(`<p id="${escape(text)}">${escape(text)}</p>`)).toEqual([`p id=${text}`, "/p"]);
    }),
  );
});

test("any text at all is read to its end", () => {
  const pieces = fc.constantFrom(..."<>/!\"'= a&\0", "--", "script");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      expect(read(parts.join("")).length).toBeLessThanOrEqual(parts.length);
    }),
  );
});
