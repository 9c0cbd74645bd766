/**
 * A free port, for what must be named before it listens, or listen again where it did.
 *
 * Below those that a system gives away by itself: one of them may be another program's as soon as it is let go.
 */
import { once } from "node:events";
import { createServer } from "node:net";

const [FIRST, LAST] = [10_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/** An address at which no program listens: its port is reserved for the system. */
export const CLOSED = "http://127.0.0.1:2";
