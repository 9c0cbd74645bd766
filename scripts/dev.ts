/** `npm run dev` */
import { devProgram } from "../src/commands/dev.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(devProgram);
