/** Makes the plan beside Astro's bundling. */
import { openSite } from "./open.ts";

openSite().close();
