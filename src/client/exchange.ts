/**
 * One request and its answer, as bytes: status, headers, and a body that was counted while it came.
 *
 * By undici's `dispatch`: its `request` makes a stream of every body, which costs more than the page that is in it.
 */
import type { Dispatcher, Pool } from "undici";

export interface Response {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came, still encoded. */
  readonly bytes: Buffer;
  /** Whether it was longer than wanted: then these are not all of it. */
  readonly cut: boolean;
}

/** How a request under way is given up. */
export type GiveUp = (reason: Error) => void;

/**
 * @param path with its query, from the origin
 * @param wanted how many bytes of the body are of use, told from its status and headers
 * @param started handed the means to give up; calling it rejects with the reason that is given
 */
export function exchange(
  pool: Pool,
  path: string,
  headers: Readonly<Record<string, string>>,
  wanted: (status: number, headers: Response["headers"]) => number,
  started: (giveUp: GiveUp) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(wanted, resolve, reject);
    started((reason) => collector.giveUp(reason));
    pool.dispatch({ method: "GET", path, headers }, collector);
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #wanted: (status: number, headers: Response["headers"]) => number;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #reason: Error | null = null;
  #status = 0;
  #headers: Response["headers"] = {};
  #most = 0;
  #size = 0;
  readonly #chunks: Buffer[] = [];

  constructor(
    wanted: (status: number, headers: Response["headers"]) => number,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ) {
    this.#wanted = wanted;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Also before the request has a connection, which may take long. */
  giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
    this.#reject(this.#reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason !== null) controller.abort(this.#reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Response["headers"],
  ): void {
    // Early hints and their like: the answer is still to come.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#most = this.#wanted(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size > this.#most) return;
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size <= this.#most) return;
    this.#end(true);
    controller.abort(new RangeError("a body longer than wanted"));
  }

  onResponseEnd(): void {
    this.#end(false);
  }

  /** After the promise is settled it says nothing new. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  #end(cut: boolean): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      bytes: bytes ?? Buffer.concat(this.#chunks, this.#size),
      cut,
    });
  }
}
