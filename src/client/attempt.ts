/**
 * Sends one request without retries, with a time limit for each stage and at most two redirects. Reads the JSON of the
 * response, or the reason why there is none (docs/walk.md, section 8).
 */
import { errors } from "undici";
import type { Verdict } from "../contract/errors.ts";
import { readErrorBody } from "../contract/body.ts";
import { parseJson } from "../contract/decode.ts";
import { isJsonLines, parseLenient } from "../contract/lenient-json.ts";
import { plainLine, printable } from "../util/text.ts";
import { readAskedWaitMs, readBusyWaitMs, readRateLimit, type HeaderReader } from "../http/wait.ts";
import type { Connection, Line } from "./connection.ts";
import { requestLeniently, type Response } from "./lenient-request.ts";
import { followRedirect, MAX_REDIRECTS } from "./redirect.ts";
import { SERVICE_API } from "./service-api.ts";
import { toText, unpack } from "./text.ts";
import { AttemptFailed, classifyCode, classifyStatus } from "./verdict.ts";

/** The name of undici's error for an answer that breaks the rules of HTTP. */
const PARSER_ERROR = "HTTPParserError";
/** The code of a body whose length is not the one that its head names: before the body, several lengths are named. */
const LENGTH_MISMATCH = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";

export interface AttemptOptions {
  readonly connection: Connection;
  readonly line: Line;
  /** Cancels the request; its reason is thrown unchanged. */
  readonly signal: AbortSignal;
  /** Called before each request, also those that follow a redirect. */
  readonly beforeSending: () => void;
  /** Whether the run has had a good answer. */
  readonly hadAnswers: boolean;
}

/**
 * @param path below the origin, with its query
 * @returns the parsed body, unchecked, and the rate limit
 * @throws {AttemptFailed} for every answer that is not JSON with status 200
 */
export async function attempt(
  path: string,
  options: AttemptOptions,
): ReturnType<typeof readAnswer> {
  const { connection, signal, hadAnswers } = options;
  const { totalMs, maxBytes } = connection.limits;
  const deadline = AbortSignal.timeout(totalMs);
  const progress = { inBody: false };
  try {
    const both = AbortSignal.any([signal, deadline]);
    return await send(path, { ...options, signal: both }, progress);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptFailed) {
      // A setting that brought good answers is not wrong: something on the way has changed for a time.
      const isSetting = error.verdict === "wrong setting" && hadAnswers;
      throw isSetting ? new AttemptFailed("busy", error.message, error) : error;
    }
    if (deadline.aborted) {
      const what = `no whole answer within ${totalMs / 1_000} s; --timeout sets the time`;
      throw new AttemptFailed("busy", what, { status: 504, cause: error });
    }
    if (isProxyRefusal(error)) {
      const what =
        "the proxy refuses its name and password (407); check HTTP_PROXY and HTTPS_PROXY";
      throw new AttemptFailed("wrong setting", what, { status: 407 });
    }
    const code = errorCode(error);
    // What undici does not read, Node's own client may.
    const isUnread = code === PARSER_ERROR || (code === LENGTH_MISMATCH && !progress.inBody);
    if (isUnread && connection.isDirect && !connection.isLenient) {
      connection.isLenient = true;
      return attempt(path, options);
    }
    throw code === null ? error : classifyCode(code, { ...progress, hadAnswers, maxBytes }, error);
  }
}

async function send(
  path: string,
  options: AttemptOptions,
  progress: { inBody: boolean },
): ReturnType<typeof readAnswer> {
  const { connection, line, beforeSending, hadAnswers } = options;
  const { origin } = connection;
  let at = connection.toMoved(path);
  for (let redirects = 0; ; redirects++) {
    beforeSending();
    progress.inBody = false;
    const response = await request(at, options);
    progress.inBody = true;
    const verdict = classifyStatus(response.statusCode, hadAnswers);
    if (verdict !== "redirect") {
      const answer = await readAnswer(connection, response, verdict, path);
      line.answers++;
      return answer;
    }
    await response.drop();
    const target = followRedirect(headerReader(response)("location"), new URL(at, origin));
    if (redirects >= MAX_REDIRECTS) {
      const more = `more than ${MAX_REDIRECTS} redirects, the last one to ${target.pathname}`;
      const wantsCookie = response.headers["set-cookie"] !== undefined;
      const advice = wantsCookie
        ? "the service wants a cookie back, which programs do not send: ask its operator for an address without one"
        : "the service sends requests in a circle: its operator can mend that";
      throw new AttemptFailed("refused", more, { advice });
    }
    const isPermanent = [301, 308].includes(response.statusCode);
    if (isPermanent) connection.noteMoved(new URL(at, origin).pathname, target.pathname);
    at = target.pathname + target.search;
  }
}

async function request(path: string, options: AttemptOptions): Promise<Response> {
  const { connection, line, signal } = options;
  const { headers, origin, limits } = connection;
  if (connection.isLenient) {
    return requestLeniently(new URL(origin.origin + path), { headers, limits, signal });
  }
  const {
    statusCode,
    headers: sent,
    body,
  } = await line.dispatcher.request({
    ...{ method: "GET", origin: origin.origin, path, headers, signal },
    reset: !connection.keepsAlive,
  });
  const drop = (): Promise<void> => body.dump({ limit: limits.dumpBytes, signal });
  return { statusCode, headers: sent, body, drop };
}

function isProxyRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return / 407\b|\(407\)/.test(error.message) || isProxyRefusal(error.cause);
}

/** Returns the code of a network failure, or the name of an error of undici's parser, which has no code. */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // The cause says what failed on the way to a proxy.
  if (error instanceof errors.ProxyConnectionError) return errorCode(error.cause) ?? error.code;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof errors.HTTPParserError) return PARSER_ERROR;
  // Node wraps the errors of each address that it tried.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}

/** @throws {AttemptFailed} for every answer that is not JSON with status 200 */
async function readAnswer(
  connection: Connection,
  response: Response,
  verdict: ReturnType<typeof classifyStatus>,
  path: string,
) {
  const header = headerReader(response);
  const now = connection.now();
  if (verdict !== "accept") {
    const failure = verdict === "redirect" ? "refused" : verdict;
    // The status decides: an error body that cannot be read counts as empty.
    const text = await readText(connection, response).catch(() => "");
    const status = response.statusCode;
    const challenge = readChallenge(header, text, status);
    const said = readErrorBody(parseJson(text));
    const what = `the service answered ${status}${said === null ? "" : ` "${said}"`}${challenge ?? ""}`;
    const askedWaitMs =
      status === 429 ? readAskedWaitMs(header, text, now) : readBusyWaitMs(header, now);
    const isQuota = status === 403 && (askedWaitMs !== null || QUOTA.test(said ?? text));
    const own = isQuota ? "busy" : failure;
    const advice = challenge === null ? adviceFor(status, own) : ADVICE_FIREWALL;
    throw new AttemptFailed(own, what, { status, askedWaitMs, advice });
  }
  const text = await readText(connection, response);
  // The first sign shows HTML; the label may be wrong.
  if (/^\uFEFF?\s*</.test(text) && !isPageBehind(parseLenient(text))) {
    const challenge = readChallenge(header, text, response.statusCode) ?? "";
    const what = `the service answered with HTML instead of JSON${titleOf(text)}${challenge}`;
    throw new AttemptFailed("busy", what, { status: 200, advice: ADVICE_HTML });
  }
  const body = connection.frameOf(path).read(parseLenient(text));
  if (body === undefined) {
    if (isJsonLines(text)) {
      throw new AttemptFailed("no list", "the service answered with a record a line (NDJSON)", {
        advice: "a walk needs pages: use an address that answers with results and next",
      });
    }
    const [type = ""] = (header("content-type") ?? "").split(";");
    const kind = /^\s*[[{]/.test(text)
      ? "JSON that is cut short or broken"
      : `${printable(plainLine(type), 60) || "a text"} that is no JSON`;
    throw new AttemptFailed("broken", `the service answered with ${kind}`, { status: 200 });
  }
  // Some services send `{errno: 429}` with status 200.
  const said = readErrorBody(body);
  if (said !== null) {
    const isThrottled = isErrno429(body);
    throw new AttemptFailed("busy", `the service answered "${said}" with status 200`, {
      status: isThrottled ? 429 : 200,
      askedWaitMs: isThrottled ? readAskedWaitMs(header, text, now) : readBusyWaitMs(header, now),
    });
  }
  return { body, rateLimit: readRateLimit(header, now) };
}

/** Whether a body that begins like HTML is a list behind the warning of a program. */
const isPageBehind = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "results" in body;

const isErrno429 = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "errno" in body && Number(body.errno) === 429;

/** What gateways say with 403 where a quota is used up. */
const QUOTA = /\bquota|rate.?limit|too many requests|throttl/i;

const ADVICE_HTML = `check that QUOTES_BASE_URL is the address before ${SERVICE_API.root}/`;
const ADVICE_FIREWALL =
  "it keeps programs out: ask its operator to let this address or this User-Agent through";

/** A 403 after a good answer is a limiter or a ban, and no wrong setting. */
function adviceFor(status: number, verdict: Verdict): string | null {
  const isOfToken = status === 401 || (status === 403 && verdict === "wrong setting");
  return isOfToken ? "check QUOTES_TOKEN and QUOTES_TOKEN_SCHEME" : null;
}

/** Says so where a firewall answered, and not the service; null where nothing shows it. */
function readChallenge(header: HeaderReader, text: string, status: number): string | null {
  const isMarked =
    header("cf-mitigated") !== null ||
    header("x-datadome") !== null ||
    header("x-sucuri-block") !== null ||
    /(?:just a moment|attention required|checking your browser|captcha|access denied)/i.test(
      text.slice(0, 20_000),
    );
  const isHtml = /^\s*</.test(text);
  const byFirewall = isMarked
    ? header("cf-mitigated") !== null || isHtml
    : status === 403 && isHtml;
  return byFirewall ? ", a page of a firewall that keeps programs out" : null;
}

/** The title of a page, in quotation marks after a colon; empty without one. */
function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(html.slice(0, 20_000))?.[1] ?? "";
  const line = printable(plainLine(title), 80);
  return line === "" ? "" : `: "${line}"`;
}

/**
 * Reads and unpacks a body. The credential is removed before any part of the text is cut out, stored or shown: a service
 * may echo it.
 */
async function readText(connection: Connection, response: Response): Promise<string> {
  const { clean, limits, charset } = connection;
  const header = headerReader(response);
  const { bytes, failure } = await readBytes(response.body);
  const contentType = [response.headers["content-type"]].flat().join(";");
  try {
    const unpacked = await unpack(bytes, header("content-encoding") ?? "", limits.maxBytes);
    const text = toText(unpacked, contentType, charset);
    if (failure === null || isWholeJson(text)) return clean(text);
  } catch (error) {
    throw failure ?? error;
  }
  throw failure;
}

/** Reads the bytes of a body, also where it ends with an error: a length that is too high, or a chunk that is missing. */
async function readBytes(
  body: Response["body"],
): Promise<{ readonly bytes: Uint8Array; readonly failure: Error | null }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Uint8Array);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { bytes: Buffer.concat(chunks), failure: error };
  }
  return { bytes: Buffer.concat(chunks), failure: null };
}

/** Whether a text is a JSON object or array by itself: what is cut short lacks its last bracket. */
function isWholeJson(text: string): boolean {
  const value = parseJson(text);
  return typeof value === "object" && value !== null;
}

/** Returns a function that reads a header, and of several the first. */
function headerReader({ headers }: Pick<Response, "headers">): HeaderReader {
  return (name) => [headers[name]].flat()[0] ?? null;
}
