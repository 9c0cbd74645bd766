/** The child process that draws Open Graph images. Its parent names in `FONTCONFIG_FILE` which fonts there are. */
import sharp from "sharp";
import { drawOgImage } from "./draw.ts";

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.concurrency(1);
sharp.cache(false);
// A layout that hangs would otherwise outlive its parent.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

export default drawOgImage;
