/** `npm run export` */
import { exportProgram } from "../src/commands/export.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(exportProgram);
