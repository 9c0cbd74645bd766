/** `npm run merge` */
import { mergeProgram } from "../src/commands/merge.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(mergeProgram);
