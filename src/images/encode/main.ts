/** The child process of the encoder: bytes of a file in, thumbnails out. */
import { serve } from "../pool/serve.ts";
import { encodePicture } from "./encode.ts";
import { blockOtherDecoders } from "./probe.ts";

blockOtherDecoders();
serve(encodePicture);
