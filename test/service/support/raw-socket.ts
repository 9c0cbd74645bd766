/** Bytes on a socket, for what no HTTP client would send. */
import { connect, type Socket } from "node:net";

/** Sends bytes as they are and waits until the other side hangs up. */
export function exchange(url: string, bytes = "") {
  return hold(url, (socket) => socket.write(bytes));
}

/** Sends the start, and then a little now and then until the other side has had enough. */
export function drip(url: string, start: string, drop: string) {
  return hold(url, (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.writable && socket.write(drop), 40);
    socket.on("close", () => clearInterval(timer));
  });
}

/** Sends the start, waits a moment, and resets the connection. */
export function hangUp(url: string, start: string) {
  return hold(url, (socket) => {
    socket.write(start);
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
}

/** @returns the reply, and the time until the connection ended */
function hold(url: string, use: (socket: Socket) => void) {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise<{ reply: string; ms: number }>((resolve, reject) => {
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
