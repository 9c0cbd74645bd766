/** A real proxy on loopback, with a name and a password, that ends with its test. */
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** It sends everything to one port, and notes what it is asked. */
export async function startProxy(port: number, status = 200) {
  const seen: { line: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer((request, response) => {
    seen.push({ line: `${request.method ?? ""} ${request.url ?? ""}`, headers: request.headers });
    if (status !== 200) return void response.writeHead(status).end();
    const { pathname, search } = new URL(request.url ?? "");
    const { "proxy-authorization": _, ...headers } = request.headers;
    const onward = forward({ port, host: "127.0.0.1", path: pathname + search, headers }, (got) => {
      response.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(response);
    });
    request.pipe(onward);
  });
  server.on("connect", (request, client: Socket) => {
    seen.push({ line: `CONNECT ${request.url ?? ""}`, headers: request.headers });
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return { seen, address: `http://user:pr0xy-pass@127.0.0.1:${own}` };
}
