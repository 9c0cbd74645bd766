/** `npm run plan` */
import { planProgram } from "../src/commands/plan.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(planProgram);
