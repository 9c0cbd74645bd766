/** Makes the catalogue beside Astro's bundling. */
import { openSite } from "./open.ts";

openSite().close();
