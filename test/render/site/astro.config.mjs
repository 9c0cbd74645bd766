/** A site of its own for the tests of the engine: a little of everything that pages do. */
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://quotes.example",
  base: "/book/",
  output: "static",
  trailingSlash: "always",
  build: { format: "directory" },
  prerenderConflictBehavior: "error",
  security: { csp: true },
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
});
