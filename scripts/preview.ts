/** `npm run preview` */
import { previewProgram } from "../src/commands/preview/preview.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(previewProgram);
