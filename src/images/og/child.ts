/** The child process that draws Open Graph images, with the fonts of `FONTCONFIG_FILE`. */
import sharp from "sharp";
import { drawOgImage } from "./draw.ts";

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.concurrency(1);
sharp.cache(false);
// A child that hangs would otherwise outlive its parent.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

export default drawOgImage;
