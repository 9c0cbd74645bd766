/** `npm run screenshots` */
import { screenshotsProgram } from "../src/commands/screenshots.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(screenshotsProgram);
