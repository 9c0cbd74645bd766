/** One request for the start of the list, without retries and without a record in a state: `doctor` looks with it. */
import { SERVICE_API } from "./service-api.ts";
import { attempt } from "./attempt.ts";
import { connect, type ConnectOptions } from "./connection.ts";
import { AttemptFailed } from "./verdict.ts";

/** What a service answered: the number of quotes in its answer, or what is wrong and what to do. */
export type FirstAnswer =
  | { readonly ok: true; readonly quotes: number }
  | {
      readonly ok: false;
      readonly what: string;
      /** As a clause; null where only time helps. */
      readonly advice: string | null;
      /** Whether a setting is wrong, and not the service. */
      readonly isSetting: boolean;
    };

export async function askOnce(options: ConnectOptions, signal: AbortSignal): Promise<FirstAnswer> {
  const connection = connect(options);
  const path = `${connection.origin.pathname.replace(/\/$/, "")}${SERVICE_API.paths.quotes}?limit=1`;
  const line = connection.take();
  const none = (): void => undefined;
  try {
    const how = { connection, line, signal, beforeSending: none, hadAnswers: false };
    const { body } = await attempt(path, how);
    const page = SERVICE_API.readQuotes(body);
    if (page.ok) return { ok: true, quotes: page.value.items.length };
    return { ok: false, what: connection.redact(page.reason), advice: null, isSetting: true };
  } catch (error) {
    if (!(error instanceof AttemptFailed)) throw error;
    const { verdict, advice, message } = error;
    const wrong = verdict === "wrong setting" || verdict === "refused" || verdict === "no list";
    return { ok: false, what: connection.redact(message), advice, isSetting: wrong };
  } finally {
    await connection.close();
  }
}
