/**
 * `node bare.ts ADDRESS QUOTES PAGE_SIZE CONNECTIONS`: the floor, a keep-alive client that only reads the pages, one after
 * another on each connection.
 */
import { Agent, get } from "node:http";

const [, , address = "", quotes = "0", pageSize = "100", connections = "1"] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

function read(offset: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${address}/apiv1/quotes/?limit=${pageSize}&offset=${offset}`, { agent }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}

let next = 0;
async function connection(): Promise<void> {
  while (next < Number(quotes)) {
    const offset = next;
    next += Number(pageSize);
    await read(offset);
  }
}

const began = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, connection));
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1_000 }));
agent.destroy();
