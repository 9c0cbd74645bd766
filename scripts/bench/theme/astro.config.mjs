/**
 * The bare site of the measurements: what `npm run bench` compares with template strings.
 *
 * Nothing is imported for its type: `astro/config` loads all that a configuration might name, in a tenth of a second.
 *
 * @type {import("astro").AstroUserConfig}
 */
export default {
  site: "https://quotes.example.org",
  output: "static",
  trailingSlash: "always",
  build: { format: "directory" },
  prerenderConflictBehavior: "error",
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
};
