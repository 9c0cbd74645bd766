/** Three ways in which services count requests; each says how many seconds to stay away, or null to let one pass. */

export type Quota = (now: number) => number | null;

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** So many in each period, which begins on the clock. */
export function fixedWindow(requests: number, periodMs: number): Quota {
  let period = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / periodMs);
    if (current !== period) [period, used] = [current, 0];
    return used++ < requests ? null : seconds((current + 1) * periodMs - now);
  };
}

/** So many in any stretch of that length. */
export function slidingWindow(requests: number, periodMs: number): Quota {
  let passed: number[] = [];
  return (now) => {
    passed = passed.filter((at) => at > now - periodMs);
    if (passed.length >= requests) return seconds((passed[0] ?? now) + periodMs - now);
    passed.push(now);
    return null;
  };
}

/** A bucket that refills steadily. */
export function tokenBucket(size: number, perSecond: number): Quota {
  let tokens = size;
  let last: number | null = null;
  return (now) => {
    tokens = Math.min(size, tokens + ((now - (last ?? now)) / 1_000) * perSecond);
    last = now;
    if (tokens < 1) return seconds(((1 - tokens) / perSecond) * 1_000);
    tokens--;
    return null;
  };
}
