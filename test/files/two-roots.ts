/** Prints what the program finds where its project is another folder; a program of `roots.test.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf } from "../../src/files/name-of.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../../src/files/roots.ts";
import { makeTheme } from "../../src/themes/make-theme.ts";
import { loadSite, siteFolder, themePlaces } from "../../src/themes/site-folder.ts";
import { themeColours } from "../../src/themes/colours.ts";
import { themeFolders } from "../../src/themes/theme.ts";

const said = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return String(error);
  }
};
const themes = (name: string): string[] => themeFolders(name, themePlaces());

const found = {
  roots: [PACKAGE_ROOT, PROJECT_ROOT],
  name: nameOf(join(PROJECT_ROOT, "site/config.ts")),
  site: [siteFolder({}), siteFolder({ SITE_DIR: "other" })],
  replaced: (await loadSite({})).pages.map(({ replaces }) => replaces),
  byName: themes("press"),
  byPath: themes("./look"),
  asPackage: themes("bought"),
  // The theme "folio" has no colours of its own: these are of src/styles/tokens.css.
  paper: themeColours("folio", themePlaces()).paper,
  newTheme: makeTheme("./new/mine", join(PROJECT_ROOT, "site")),
  taken: await said(() => makeTheme("press", join(PROJECT_ROOT, "site"))),
  secret: await said(() => {
    writeFileSync(join(PROJECT_ROOT, ".env.local"), "QUOTES_TOKEN=x");
    return loadSite({});
  }),
};
process.stdout.write(JSON.stringify(found));
