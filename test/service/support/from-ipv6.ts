/**
 * Opens 160 connections from IPv6 addresses of each of two kinds, in a network namespace of its own, and prints how many
 * were kept: 20 addresses of one /64, then 20 addresses of as many /64 in one /48.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HTTP_LIMITS, listen } from "../../../src/service/server.ts";

const ip = (...words: string[]) => execFileSync("ip", words);

/** @param expected waited for, then given the time to prove wrong */
async function kept(addressOf: (n: number) => string, expected: number): Promise<number> {
  const addresses = Array.from({ length: 20 }, (_, n) => addressOf(n + 1));
  for (const address of addresses) ip("-6", "addr", "add", `${address}/128`, "dev", "lo", "nodad");
  const limits = { ...HTTP_LIMITS, connectionsPerAddress: 50, connectionsPerNetwork: 100 };
  const server = await listen("::", 0, limits);
  const sockets = addresses.flatMap((localAddress) =>
    Array.from({ length: 8 }, () => connect({ host: "::1", port: server.port, localAddress })),
  );
  for (const socket of sockets) socket.on("error", () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const open = (): number => sockets.filter((socket) => !socket.closed).length;
  for (let waits = 0; open() > expected && waits < 200; waits++) await sleep(100);
  await sleep(500);
  const left = open();
  for (const socket of sockets) socket.destroy();
  await server.close(0);
  return left;
}

ip("link", "set", "lo", "up");
const oneNetwork = await kept((n) => `2001:db8:0:1::${n}`, 50);
const oneSite = await kept((n) => `2001:db8:2:${n}::1`, 100);
process.stdout.write(JSON.stringify([oneNetwork, oneSite]));
