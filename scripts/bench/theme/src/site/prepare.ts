/** Makes the plan while Vite bundles. */
import { openSite } from "./open.ts";

openSite().close();
