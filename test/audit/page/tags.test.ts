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
  ["start and end tags", "<p>a</p>", ["p", "/p"]],
  ["names in any case", "<P ID=x></P>", ["p id=x", "/p"]],
  [
    "values in either quotes or none",
    `<a id="1"><a id='2'><a id=3>`,
    ["a id=1", "a id=2", "a id=3"],
  ],
  ["a greater-than sign in a value", `<a title="a>b" id="x">`, ["a id=x"]],
  ["the other quotes in a value", `<a title='"' id="x">`, ["a id=x"]],
  ["blanks around the equals sign", `<a id\n=\t"x" >`, ["a id=x"]],
  ["an attribute without value", "<a hidden id>", ["a id="]],
  ["self-closing tags", `<img id="x"/><br/>`, ["img id=x", "br"]],
  ["attributes glued together", `<a title="b"id="x">`, ["a id=x"]],
  ["entities in a value", `<a id="a&amp;b&#60;&#x3e;&quot;">`, [`a id=a&b<>"`]],
  ["no comment", `<!-- <a id="x"> --><b>`, ["b"]],
  ["no doctype", `<!DOCTYPE html><html>`, ["html"]],
  ["no text that looks like one", "a < b, 1<2, <3", []],
  [
    "nothing inside a script",
    `<script>if (a<b) "<a id='x'>"</script><b>`,
    ["script", "/script", "b"],
  ],
  ["nothing inside a title", "<title><b></title>", ["title", "/title"]],
  ["nothing inside an unclosed style", "<style><b>", ["style"]],
  ["a script's end in capitals", "<script><b></SCRIPT><i>", ["script", "/script", "i"]],
  [
    "no name that only starts like the end",
    "<script></scripty><b></script>",
    ["script", "/script"],
  ],
  ["no tag that is cut off at the end", `<b><a id="x`, ["b"]],
])("readTags() reads %s", (_, html, expected) => {
  expect(read(html)).toEqual(expected);
});

test("the first of two attributes of one name counts, as in a browser", () => {
  expect(read(`<a id="1" id="2">`)).toEqual(["a id=1"]);
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
  const pieces = fc.constantFrom(
    "<",
    ">",
    "/",
    "!",
    "--",
    '"',
    "'",
    "=",
    " ",
    "a",
    "script",
    "&",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      expect(read(parts.join("")).length).toBeLessThanOrEqual(parts.length);
    }),
  );
});
