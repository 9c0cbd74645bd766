/** `npm run serve` */
import { runProgram } from "../src/commands/program.ts";
import { serveProgram } from "../src/commands/serve.ts";

await runProgram(serveProgram);
