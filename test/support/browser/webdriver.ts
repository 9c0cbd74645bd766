/**
 * WebKit through WebDriver: `WebKitWebDriver` of WebKitGTK, with its small browser. Playwright drives only a WebKit of its own.
 *
 * @see https://www.w3.org/TR/webdriver2/
 */
import { spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { closeAfterFile } from "../run/index.ts";
import { WAIT_MS } from "../vitest/limits.ts";
import type { Driver } from "./driven.ts";

/** The key under which WebDriver gives the reference of an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts the driver, on a screen in memory where there is no other. */
async function startDriver(): Promise<string> {
  const [browser] = globSync("/usr/lib{,/*}/webkit2gtk-4.*/MiniBrowser");
  if (!existsSync("/usr/bin/WebKitWebDriver") || browser === undefined) {
    throw new Error("Cannot start WebKit: install webkit2gtk-driver and xvfb");
  }
  const port = await freePort();
  const command = ["WebKitWebDriver", `--port=${port}`];
  const hasScreen = (process.env["DISPLAY"] ?? "") !== "";
  const [program = "", ...args] = hasScreen
    ? command
    : ["xvfb-run", "--auto-servernum", ...command];
  // A group of its own: `xvfb-run` starts a screen and the driver, which starts browsers.
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  closeAfterFile(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  });
  await once(child, "spawn");
  return `http://127.0.0.1:${port}`;
}

/** Sends a command, again while the driver does not listen yet. */
async function command(
  url: string,
  method: string,
  body?: object,
  waitMs = WAIT_MS,
): Promise<unknown> {
  for (const end = Date.now() + waitMs; ; await sleep(200)) {
    const answer = await fetch(url, {
      method,
      signal: AbortSignal.timeout(waitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (Date.now() > end) throw error;
    });
    if (answer === undefined) continue;
    const { value } = (await answer.json()) as { value: unknown };
    if (answer.ok) return value;
    const { error = "", message = "" } = value as { error?: string; message?: string };
    // As Playwright does, a click waits for its element.
    const isEarly = /^(?:no such element|element not interactable|stale)/.test(error);
    if (!isEarly || Date.now() > end) throw new Error(`${method} ${url}: ${error} ${message}`);
  }
}

interface Session {
  readonly sessionId: string;
}

/** Opens windows of WebKit, each without a past; the driver ends after the file. */
export async function startWebkit(): Promise<() => Promise<Driver>> {
  let driver = await startDriver();
  const [binary] = globSync("/usr/lib{,/*}/webkit2gtk-4.*/MiniBrowser");
  const options = { binary, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  return async () => {
    const begin = (waitMs: number) =>
      command(`${driver}/session`, "POST", { capabilities }, waitMs) as Promise<Session>;
    // On a busy machine the driver may miss that its browser has started, and never answers then.
    const { sessionId } = await begin(WAIT_MS / 4).catch(async () => {
      driver = await startDriver();
      return begin(WAIT_MS / 2);
    });
    const session = `${driver}/session/${sessionId}`;
    const post = (path: string, body: object = {}) => command(`${session}/${path}`, "POST", body);
    const element = async (selector: string): Promise<string> => {
      const found = await post("element", { using: "css selector", value: selector });
      return (found as Record<string, string>)[ELEMENT] ?? "";
    };
    const call: Driver["call"] = async (run, json) => {
      const script = `const [json, done] = arguments;
        Promise.resolve().then(() => (${run})(JSON.parse(json))).then(
          (value) => done({ json: JSON.stringify(value ?? null) }),
          (error) => done({ error: String(error) }),
        );`;
      const answer = await post("execute/async", { script, args: [json] });
      const { json: value = "null", error } = answer as { json?: string; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    };
    return {
      call,
      open: async (url) => void (await post("url", { url })),
      back: async () => void (await post("back")),
      click: async (selector) => void (await post(`element/${await element(selector)}/click`)),
      focus: async (selector) =>
        void (await call(
          "(selector) => document.querySelector(selector).focus()",
          JSON.stringify(selector),
        )),
      press: async (keys) => {
        const actions = [...keys].flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]);
        await post("actions", { actions: [{ type: "key", id: "key", actions }] });
      },
      setWidth: async (width) => {
        const beside = Number(await call("() => outerWidth - innerWidth", "null"));
        await post("window/rect", { width: width + beside, height: 800 });
      },
      close: async () => void (await command(session, "DELETE")),
    };
  };
}
