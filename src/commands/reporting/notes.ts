/** Notes on a run: what its settings leave undone, in one line each, with the next step. */
import type { CorrectionReport } from "../../contract/corrections.ts";
import { serviceKey } from "../../harvest/index.ts";
import type { Settings } from "../../settings/settings.ts";
import { publishedSource } from "../../site/index.ts";
import { counted } from "../../util/text.ts";

/** A note of each kind; later stages of a run replace those of earlier ones. */
export interface Notes {
  readonly votes?: string | null;
  readonly source?: string | null;
  /** What came of the corrections of the site. */
  readonly corrections?: readonly string[];
  /** Overrides and keys of the site that mean nothing, or are of an older version. */
  readonly overrides?: readonly string[];
}

export const linesOf = ({ votes, source, corrections = [], overrides = [] }: Notes = {}) =>
  [votes, source, ...corrections, ...overrides].filter((line) => typeof line === "string");

/** What the corrections changed, and those that change nothing. */
export function correctionNotes({ quotes, remarks }: CorrectionReport): string[] {
  return quotes === 0 ? [...remarks] : [`${counted(quotes, "quote")} corrected`, ...remarks];
}

/** Why the site has no votes, where a credential is the reason. Only a command that has the credential knows. */
export function voteNote({ votesNeedRelay }: Settings): string | null {
  if (!votesNeedRelay) return null;
  return "Voting is off, because the service needs a credential: run the relay and set VOTE_BASE_URL to its address, or to off (docs/votes.md)";
}

/** Names a snapshot of another service than that of the settings; null without one, and where no service is set. */
export function sourceNote(settings: Settings): string | null {
  const host = publishedSource(settings.stateDir)?.host;
  const { baseUrl, data } = settings.service;
  if ((baseUrl === null && data === null) || host === undefined || host === serviceKey(settings)) {
    return null;
  }
  return `The quotes come from ${host}, and the settings name ${serviceKey(settings)}: run "npm run harvest", or use the --state of that service`;
}
