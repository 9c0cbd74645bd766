/** `npm run render` */
import { runProgram } from "../src/commands/program.ts";
import { renderProgram } from "../src/commands/render.ts";

await runProgram(renderProgram);
