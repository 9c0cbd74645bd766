/** One of the audit's threads. */
import Tinypool from "tinypool";
import type { ThreadSetup } from "./messages.ts";
import { openReader } from "./reader.ts";

export default openReader(Tinypool.workerData as ThreadSetup);
