/** Which pages a row of page links names: both ends, the neighbours, and null where some are left out. */

/** How far from the current page links go. */
const REACH = 1;

export function pageLinks(page: number, pages: number): (number | null)[] {
  const shown = new Set([1, pages]);
  for (let other = page - REACH; other <= page + REACH; other++) {
    if (other >= 1 && other <= pages) shown.add(other);
  }
  const links: (number | null)[] = [];
  let before = 0;
  for (const link of [...shown].sort((a, b) => a - b)) {
    // A gap of one page is filled: the dots would take the same room.
    if (link - before === 2) links.push(link - 1);
    else if (link - before > 2) links.push(null);
    links.push(link);
    before = link;
  }
  return links;
}
