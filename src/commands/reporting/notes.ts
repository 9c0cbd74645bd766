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
  /** What pages said while they were rendered. */
  readonly pages?: readonly string[];
}

export function linesOf(notes: Notes = {}): string[] {
  const { votes, source, corrections = [], overrides = [], pages = [] } = notes;
  const lines = [votes, source, ...corrections, ...overrides, ...pages];
  return lines.filter((line) => typeof line === "string");
}

/** What the corrections changed and left out, and those that change nothing. @param copies quotes shown with another */
export function correctionNotes(
  { quotes, hidden, remarks }: CorrectionReport,
  copies: number,
): string[] {
  const done = { corrected: quotes, hidden, "shown with another that says the same": copies };
  const lines = Object.entries(done).flatMap(([what, number]) =>
    number === 0 ? [] : [`${counted(number, "quote")} ${what}`],
  );
  return [...lines, ...remarks];
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
