/** The browser of the pictures is the browser of the tests; and each test reads a built site over HTTP. */
export { launchBrowser } from "../../src/commands/pictures/browser.ts";
export { serveFolder, type Served } from "../../src/commands/pictures/serve-folder.ts";
