/**
 * Adds the rules of what a script alone shows. Pages are spared them: a sheet that a script imports as a file would be linked from
 * every page.
 *
 * @param rules a sheet imported with `?inline`
 */
export function addSheet(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
