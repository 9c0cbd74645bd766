/** Whose quota a request counts against. */

/**
 * The client's own address, behind as many proxies as are ours.
 *
 * Each proxy appends whom it saw to `X-Forwarded-For`; what stands further left was written by anybody.
 *
 * @param peer address of the connection
 * @param proxies how many of the last entries our own proxies wrote
 */
export function clientAddress(peer: string, forwarded: string | null, proxies: number): string {
  if (proxies === 0 || forwarded === null) return networkOf(peer);
  const seen = forwarded.split(",").map((address) => address.trim());
  return networkOf(seen.at(-proxies) || peer);
}

/** An IPv4 address whole; of an IPv6 address its /64, since one subscriber has all the addresses in it. */
export function networkOf(address: string): string {
  const mapped = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [left = "", right] = address.replace(/%.*$/, "").split("::");
  const groups = (half: string | undefined): string[] => (half ? half.split(":") : []);
  const zeros = 8 - groups(left).length - groups(right).length;
  return [...groups(left), ...Array<string>(Math.max(0, zeros)).fill("0"), ...groups(right)]
    .slice(0, 4)
    .map((group) => (group.replace(/^0+(?=.)/, "") || "0").toLowerCase())
    .join(":");
}
