/**
 * Where the votes of a reader go: to a relay, to the service itself, or nowhere.
 *
 * A browser can hold no credential, so a service that needs one is never voted on directly: without a relay, voting is
 * off and counts are plain text.
 */

import { isLoopbackName } from "../contract/network.ts";

/** Where `npm run serve`, `dev` and `preview` have the embedded service when no other port is asked for. */
const LOCAL_SERVICE = "http://127.0.0.1:8080";

/** `VOTE_BASE_URL=off`: no voting, whatever else would follow from the settings. */
export const VOTING_OFF = "off";

/**
 * Decides from the settings; asks nothing of the network.
 *
 * The embedded service ends with the build. A site on this machine votes where `dev` and `preview` start it again; a
 * site elsewhere could not reach it.
 *
 * @param asked `VOTE_BASE_URL`; undefined when it is not set
 * @param service the one that is harvested; an address of null is the embedded one
 * @param siteUrl where the site will live
 * @returns the address before `/apiv1/`, without a slash at its end; null when voting is off
 */
export function voteTarget(
  asked: string | undefined,
  { baseUrl, token }: { readonly baseUrl: string | null; readonly token: string | null },
  siteUrl: string,
): string | null {
  if (asked !== undefined) return asked === VOTING_OFF ? null : asked;
  if (baseUrl === null) return isLoopback(siteUrl) ? LOCAL_SERVICE : null;
  return token === null ? baseUrl : null;
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return isLoopbackName(new URL(address).hostname);
}
