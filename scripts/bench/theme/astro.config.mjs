/** The bare site of the measurements: what `npm run bench` compares with template strings. */
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://quotes.example.org",
  output: "static",
  trailingSlash: "always",
  build: { format: "directory" },
  prerenderConflictBehavior: "error",
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
});
