/** `npm run harvest` */
import { harvestProgram } from "../src/commands/harvest-program.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(harvestProgram);
