/** A process that serves a folder of pictures, with an ETag each: the host of the benchmark. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";

const server = createServer((request, response) => {
  const etag = `"${request.url}"`;
  const unchanged = request.headers["if-none-match"] === etag;
  response.writeHead(unchanged ? 304 : 200, { etag });
  response.end(unchanged ? undefined : readFileSync(join(folder, request.url ?? "")));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
