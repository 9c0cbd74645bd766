/** The child process of the encoder: bytes of a file in, thumbnails out. */
import { blockOtherDecoders, encodePicture } from "./encode.ts";

blockOtherDecoders();
// A decoder that hangs would otherwise outlive its parent.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

export default encodePicture;
