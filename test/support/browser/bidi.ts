/**
 * Firefox through WebDriver BiDi, which it speaks itself. Playwright speaks it only with current releases, not with an ESR.
 *
 * @see https://w3c.github.io/webdriver-bidi/
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { closeAfterFile, tempFolder } from "../run/index.ts";
import type { Driver } from "./driven.ts";
import { firefoxPath } from "./named-browsers.ts";

type Send = (method: string, params: object) => Promise<Record<string, unknown>>;

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: string;
  readonly message?: string;
}

/** @returns the address that Firefox listens on */
async function startProgram(): Promise<string> {
  const args = ["--headless", "--remote-debugging-port=0", "--profile", tempFolder("firefox")];
  // A group of its own, since it starts a process for each site.
  const child = spawn(firefoxPath(["firefox-esr", "firefox"]), args, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  closeAfterFile(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  });
  const address = new Promise<string>((resolve, reject) => {
    const said: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once("error", reject);
    child.once("exit", () => {
      reject(new Error(`Cannot start Firefox: ${said.slice(-5).join("\n")}`));
    });
  });
  return address;
}

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(`${url}/session`);
  await once(socket, "open");
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
    waiting.delete(answer.id ?? 0);
  });
  socket.addEventListener("close", () => {
    for (const settle of waiting.values()) settle({ error: "closed", message: "Firefox ended" });
  });
  let last = 0;
  const send: Send = async (method, params) => {
    const id = ++last;
    const { error, message, result } = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (error !== undefined) throw new Error(`${method}: ${error} ${message}`);
    return result ?? {};
  };
  await send("session.new", { capabilities: {} });
  return send;
}

/** Opens tabs of Firefox, each with storage of its own; it ends after the file. */
export async function startFirefox(): Promise<() => Promise<Driver>> {
  const send = await connect(await startProgram());
  return async () => {
    const { userContext } = await send("browser.createUserContext", {});
    const { context } = await send("browsingContext.create", { type: "tab", userContext });
    return driverOf(send, { context, userContext });
  };
}

/** How a function of the page ended. */
interface Called {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: string; readonly sharedId?: string };
  readonly exceptionDetails?: { readonly text: string };
}

function driverOf(send: Send, { context, userContext }: Record<string, unknown>): Driver {
  const callFunction = async (functionDeclaration: string, value: string) => {
    const answer = await send("script.callFunction", {
      functionDeclaration,
      arguments: [{ type: "string", value }],
      target: { context },
      awaitPromise: true,
      userActivation: false,
    });
    const { type, result, exceptionDetails } = answer as unknown as Called;
    if (type === "exception") throw new Error(exceptionDetails?.text);
    return result ?? {};
  };
  const perform = (type: "key" | "pointer", actions: readonly object[]) =>
    send("input.performActions", { context, actions: [{ type, id: type, actions }] });
  return {
    open: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    back: async () => void (await send("browsingContext.traverseHistory", { context, delta: -1 })),
    click: async (selector) => {
      const { sharedId } = await callFunction(
        `(selector) => {
          const element = document.querySelector(selector);
          element.scrollIntoView({ block: "center", behavior: "instant" });
          return element;
        }`,
        selector,
      );
      const origin = { type: "element", element: { sharedId } };
      await perform("pointer", [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]);
    },
    focus: async (selector) =>
      void (await callFunction("(selector) => document.querySelector(selector).focus()", selector)),
    press: async (keys) => {
      const strokes = [...keys].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await perform("key", strokes);
    },
    setWidth: async (width) =>
      void (await send("browsingContext.setViewport", {
        context,
        viewport: { width, height: 800 },
      })),
    call: async (run, json) => {
      const wrapped = `async (json) => JSON.stringify((await (${run})(JSON.parse(json))) ?? null)`;
      return (await callFunction(wrapped, json)).value ?? "null";
    },
    close: async () => void (await send("browser.removeUserContext", { userContext })),
  };
}
