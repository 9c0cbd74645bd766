/** Digests of what is shown: equal digests, equal text. */
import { hash } from "node:crypto";

/** 132 bits of SHA-256 in base64url: no accident and no quote that is sent on purpose has the digest of another. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
