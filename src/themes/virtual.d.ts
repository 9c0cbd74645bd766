/** Imports the sheets of the theme and of `site/`: made by the plugin. */
declare module "virtual:commonplace/styles" {}
/** Their tokens alone, with the sheet of `site/`. */
declare module "virtual:commonplace/tokens" {}
