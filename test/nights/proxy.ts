/** A proxy between the service and a build: it refuses connections, throttles, sends false answers and resets. It keeps the journal. */
import {
  cutShort,
  cutShortQuietly,
  type FaultServer,
  freePort,
  json,
  type Reply,
  reset,
  startFaultServer,
  text,
  throttled,
} from "../support/http/index.ts";
import type { DrillCollection } from "./collection.ts";

type Records = Record<string, unknown>[];
type Body = { results?: Records } & Record<string, unknown>;

const DAY_MS = 86_400_000;

/** What becomes of a call: another answer, the true one changed, or the true one (null). */
export type FaultPlan = (night: { readonly call: number; readonly chance: number }) => Fault;
type Fault = { readonly reply: (truth: Body) => Reply } | null;

const instead = (reply: Reply): Fault => ({ reply: () => reply });
const changed = (change: (truth: Body) => Body): Fault => ({
  reply: (truth) => json(change(truth)),
});

const FAULTS: readonly Fault[] = [
  instead(reset),
  instead(json({ errno: 500, errmsg: "oops" }, 500)),
  instead(text("<h1>502</h1>", 502)),
  { reply: cutShort },
  { reply: cutShortQuietly },
  instead(throttled({ "retry-after": "1" })),
];

/** Every so many calls one fails; never so many in a row that the service would be taken to be down. */
export const faulty =
  (share: number): FaultPlan =>
  ({ call, chance }) =>
    call % 3 === 1 && chance < share
      ? (FAULTS[Math.floor((chance / share) * FAULTS.length)] ?? null)
      : null;

export const busy: FaultPlan = () => instead(text("", 503));

/** A quota that is used up after so many calls, for so many days. It may be asked again after one. */
export const quota =
  (calls: number, days: number, onClosed: (untilMs: number) => void): FaultPlan =>
  ({ call }) => {
    if (call < calls) return null;
    // A minute less: the clock of a build starts some seconds after the clock of its night.
    onClosed(Math.min(days * DAY_MS, DAY_MS - 60_000));
    return instead(throttled({ "retry-after": String((days * DAY_MS) / 1_000) }));
  };

const records = (
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): FaultPlan => {
  return () =>
    changed((truth) =>
      truth.results === undefined
        ? "pk" in truth
          ? change(truth)
          : truth
        : { ...truth, results: truth.results.map(change) },
    );
};

const renamed = (from: string, to: string): FaultPlan =>
  records(({ [from]: value, ...rest }) => ({ ...rest, [to]: value }));

/** A new version of the service, without notice: nothing in it may be read as "there is nothing". */
export const SCHEMAS: Readonly<Record<string, FaultPlan>> = {
  "the text has another name": renamed("quote", "text"),
  "keys are text": records((record) => ({ ...record, pk: `quote-${String(record["pk"])}` })),
  "keys are hidden": renamed("pk", "id"),
  "authors are records": records((record) => ({ ...record, author: { name: record["author"] } })),
  "the list has another name": () =>
    changed(({ results, ...rest }) => (results === undefined ? rest : { ...rest, items: results })),
  "authors have another name": renamed("author", "by"),
  "tags have another name": renamed("tags", "labels"),
  "languages have another name": renamed("language", "locale"),
};

export class FaultProxy {
  readonly collection: DrillCollection;
  faults: FaultPlan | null = null;
  /** Changes of the collection before each call. */
  driftPerCall = 0;
  /** Told of each call of the night, from 0. */
  onCall: (call: number) => void = () => undefined;
  calls: number[] = [];
  readonly #random: () => number;
  #server: FaultServer | null = null;
  #port = 0;

  constructor(collection: DrillCollection, random: () => number) {
    this.collection = collection;
    this.#random = random;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    // It is shut for whole nights, and opens at the same address.
    if (this.#port === 0) this.#port = await freePort();
    this.#server ??= await startFaultServer(({ url }) => this.#answer(url), this.#port);
  }

  /** Connections are refused from now on. */
  async shut(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }

  #answer(url: URL): Reply {
    const call = this.calls.length;
    this.calls.push(this.collection.now());
    this.onCall(call);
    for (let n = this.#random() * this.driftPerCall; n >= 0.5; n--) this.collection.drift();
    const fault = this.faults?.({ call, chance: this.#random() }) ?? null;
    return (response, request) => {
      void this.#truth(url).then(
        (truth) => (fault === null ? json(truth) : fault.reply(truth))(response, request),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      );
    };
  }

  async #truth({ pathname, search }: URL): Promise<Body> {
    const answer = await fetch(`${this.collection.service.url}${pathname}${search}`);
    return (await answer.json()) as Body;
  }
}
