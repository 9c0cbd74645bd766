/** The child process that sets cards. Its parent says in `FONTCONFIG_FILE` which fonts there are. */
import sharp from "sharp";
import { serve } from "../pool/serve.ts";
import { drawCard } from "./draw.ts";

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.concurrency(1);
sharp.cache(false);
serve(drawCard);
