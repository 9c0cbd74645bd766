/** A service that echoes the credential wherever it can, and other ways in which one behaves badly. */
import { json, type Reply, text } from "../support/http/index.ts";
import { CANARY, ENCODINGS } from "./canary.ts";

const everywhere = Object.values(ENCODINGS).flat();

export const HEADERS = {
  "x-echo": `Token ${CANARY}`,
  etag: `"${CANARY}"`,
  "www-authenticate": `Token realm="${CANARY}"`,
};

const html = `<!doctype html><title>Error</title><pre>Authorization: Token ${CANARY}\n${everywhere.join("\n")}</pre>`;

/** One fault each, with the exit statuses that a harvest may end with. */
export const FAULTS: Readonly<Record<string, { readonly reply: Reply; readonly status: number }>> =
  {
    "401 that names it": {
      reply: json({ detail: `Invalid token ${CANARY}` }, 401, HEADERS),
      status: 78,
    },
    "400 in all encodings": {
      reply: json({ errno: 400, errmsg: everywhere.join(" ") }, 400),
      status: 69,
    },
    "400 cut in the middle of it": {
      reply: json({ detail: `${"x".repeat(190)}${CANARY}` }, 400),
      status: 69,
    },
    "400 that escapes a part of it": {
      reply: text(
        `{"detail": "no ${CANARY.replace("/", "\\u002f").replace("Q", "\\u0051")}"}`,
        400,
        {
          "content-type": "application/json",
        },
      ),
      status: 69,
    },
    "a page in place of JSON": { reply: text(html, 200, HEADERS), status: 69 },
    "a type that names it": {
      reply: text("x", 200, { "content-type": `text/x; a=${CANARY}` }),
      status: 69,
    },
    "an encoding that names it": {
      reply: json({}, 200, { "content-encoding": CANARY }),
      status: 69,
    },
    "a redirect to a stranger whose name it is": {
      reply: text("", 302, {
        location: `https://${Buffer.from(CANARY).toString("hex")}.example/?token=${CANARY}`,
        ...HEADERS,
      }),
      status: 78,
    },
    "records that cannot be read": {
      reply: json({
        next: null,
        results: everywhere.map((value) => ({ pk: value, quote: value, likes: value })),
      }),
      status: 69,
    },
    "a broken body": {
      reply: text(`{"results": [{"quote": "${CANARY}`, 200, { "content-type": "application/json" }),
      status: 69,
    },
  };
