/**
 * The floor: a bare keep-alive client that only reads the pages, one after another on each connection.
 *
 * Arguments: address, quotes, page size, connections. Writes milliseconds, those of CPU, and bytes as JSON.
 */
import { Agent, get } from "node:http";

const [, , address = "", quotes = "0", pageSize = "100", connections = "1"] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

function read(offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${address}/apiv1/quotes/?limit=${pageSize}&offset=${offset}`, { agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    }).on("error", reject);
  });
}

let next = 0;
let bytes = 0;
async function connection(): Promise<void> {
  while (next < Number(quotes)) {
    const offset = next;
    next += Number(pageSize);
    // Not in one step: the sum would be that of before the wait.
    const more = await read(offset);
    bytes += more;
  }
}

const began = performance.now();
const cpuBefore = process.cpuUsage();
await Promise.all(Array.from({ length: Number(connections) }, connection));
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1_000;
process.stdout.write(JSON.stringify({ ms: performance.now() - began, cpuMs, bytes }));
agent.destroy();
