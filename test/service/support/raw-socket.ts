/** Bytes on a socket, for what no HTTP client would send. */
import { connect, type Socket } from "node:net";

interface Exchanged {
  readonly reply: string;
  /** Until the connection ended. */
  readonly ms: number;
}

/** Sends bytes as they are and waits until the other side hangs up. */
export function exchange(url: string, bytes = ""): Promise<Exchanged> {
  return hold(url, (socket) => socket.write(bytes));
}

/** Sends the start, and then a little now and then until the other side has had enough. */
export function drip(url: string, start: string, drop: string): Promise<Exchanged> {
  return hold(url, (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.writable && socket.write(drop), 40);
    socket.on("close", () => clearInterval(timer));
  });
}

/** Sends the start, waits a moment, and resets the connection. */
export function hangUp(url: string, start: string): Promise<Exchanged> {
  return hold(url, (socket) => {
    socket.write(start);
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
}

function hold(url: string, use: (socket: Socket) => void): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let reply = "";
    const socket = connect(Number(port), hostname, () => use(socket));
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => (reply += text));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve({ reply, ms: performance.now() - started }));
  });
}
