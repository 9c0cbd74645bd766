/** How Astro builds the pages: this repository uses Commonplace as any project does. Integrations and redirects may be added. */
import { defineConfig } from "astro/config";
import commonplace from "./src/commands/astro-integration.ts";

export default defineConfig({
  integrations: [commonplace()],
});
