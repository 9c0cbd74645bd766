/** `npm run build` */
import { buildProgram } from "../src/commands/build.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(buildProgram);
