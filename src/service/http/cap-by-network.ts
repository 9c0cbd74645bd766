/** Keeps one address or one network from taking all the connections there are. */
import type { Socket } from "node:net";
import { networksOf } from "../../contract/network.ts";

/** @returns a listener that hangs up on the connections beyond the most of an address or of a network */
export function capByNetwork(perAddress: number, perNetwork: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  const count = (key: string, step: 1 | -1): void => {
    const left = (open.get(key) ?? 0) + step;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  };
  return (socket) => {
    const { subscriber, site } = networksOf(socket.remoteAddress ?? "");
    const keys = [`address ${subscriber}`, `network ${site}`] as const;
    if ((open.get(keys[0]) ?? 0) >= perAddress || (open.get(keys[1]) ?? 0) >= perNetwork) {
      socket.destroy();
      return;
    }
    for (const key of keys) count(key, 1);
    socket.once("close", () => {
      for (const key of keys) count(key, -1);
    });
  };
}
