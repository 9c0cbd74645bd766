/**
 * Where the votes of a reader go: to a relay, to the service itself, or nowhere.
 *
 * A browser can hold no credential, so a service that needs one is never voted on directly: without a relay, voting is
 * off and counts are plain text.
 */

/** Where `npm run serve`, `dev` and `preview` have the embedded service when no other port is asked for. */
const LOCAL_SERVICE = "http://127.0.0.1:8080";

/** `VOTE_BASE_URL=off`: no voting, whatever else would follow from the settings. */
export const VOTING_OFF = "off";

export interface VoteQuestion {
  /** `VOTE_BASE_URL`; null when it is not set. */
  readonly asked: string | null;
  /** The service that is harvested; null for the embedded one. */
  readonly baseUrl: string | null;
  readonly token: string | null;
  /** Where the site will live. */
  readonly siteUrl: string;
}

/**
 * Decides from the settings; asks nothing of the network.
 *
 * The embedded service ends with the build. A site on this machine votes where `dev` and `preview` start it again; a
 * site elsewhere could not reach it.
 *
 * @returns the address before `/apiv1/`, without a slash at its end; null when voting is off
 */
export function voteTarget({ asked, baseUrl, token, siteUrl }: VoteQuestion): string | null {
  if (asked !== null) return asked === VOTING_OFF ? null : asked;
  if (baseUrl === null) return isLoopback(siteUrl) ? LOCAL_SERVICE : null;
  return token === null ? baseUrl : null;
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  // URL writes every IPv4 address as four numbers; a name that begins like one is a name.
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
