/** The child process that encodes thumbnails. */
import { blockOtherDecoders, encodePicture } from "./encode.ts";

blockOtherDecoders();
// A child that hangs would otherwise outlive its parent.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

export default encodePicture;
