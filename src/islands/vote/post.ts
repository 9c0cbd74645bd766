/**
 * Sends a vote or a report, once: a simple request, so nothing is asked of the service beforehand.
 *
 * It outlives the page, since a reader may follow a link at once. A redirect is not followed: it would turn the POST
 * into a GET, whose success means nothing.
 */
import { readAnswer, UNCONFIRMED, type Answer } from "./answer.ts";

/** Never rejects: what cannot be known is "unconfirmed". */
export async function post(action: string, pk: string): Promise<Answer> {
  try {
    const response = await fetch(action, {
      method: "POST",
      body: new URLSearchParams({ pk }),
      credentials: "omit",
      redirect: "error",
      keepalive: true,
    });
    const body = await response.text();
    return readAnswer(response.status, body, response.headers.get("retry-after"), Date.now());
  } catch (error) {
    // No answer, or one that another origin may not read: both may follow a vote that was counted.
    if (error instanceof TypeError) return UNCONFIRMED;
    throw error;
  }
}
