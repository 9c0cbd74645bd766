/** The `pk` that a vote or a report names: form-encoded, multipart or JSON, as such services take it. */
import { MAX_PK } from "../../contract/quote.ts";
import { readBody } from "./body.ts";

/** The pk, or the status to answer with because there is none. */
export type PkRead = { readonly pk: number } | { readonly status: 400 | 413 | 415 };

/** Reads the body; a pk in the address does not count (contract, section 4.4: "a POST parameter"). */
export async function readPk(request: Request): Promise<PkRead> {
  const type = request.headers.get("Content-Type") ?? "";
  const read = READERS[(type.split(";", 1)[0] ?? "").trim().toLowerCase()];
  const body = await readBody(request);
  if (body === null) return { status: 413 };
  if (read === undefined) return { status: type === "" && body.length === 0 ? 400 : 415 };
  const pk = toPk(await read(body, type));
  return pk === null ? { status: 400 } : { pk };
}

type Reader = (body: Buffer<ArrayBuffer>, type: string) => unknown;

/** By media type: the value of the last `pk`, whatever it is. */
const READERS: Readonly<Record<string, Reader>> = {
  "application/x-www-form-urlencoded": (body) =>
    new URLSearchParams(body.toString()).getAll("pk").at(-1),
  "multipart/form-data": (body, type) =>
    attempt(async () => {
      const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
      return form.getAll("pk").at(-1);
    }, TypeError),
  "application/json": async (body) => {
    const value = await attempt(() => JSON.parse(body.toString()) as unknown, SyntaxError);
    return typeof value === "object" && value !== null && "pk" in value ? value.pk : undefined;
  },
};

/** What `read` gives; nothing where it throws the error by which it says that the client sent something else. */
async function attempt(
  read: () => unknown,
  complaint: typeof SyntaxError | typeof TypeError,
): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof complaint) return undefined;
    throw error;
  }
}

function toPk(value: unknown): number | null {
  const pk = typeof value === "string" && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  return typeof pk === "number" && Number.isInteger(pk) && pk >= 1 && pk <= MAX_PK ? pk : null;
}
