/** `npm run snapshots` */
import { runProgram } from "../src/commands/program.ts";
import { snapshotsProgram, takeWords } from "../src/commands/snapshots.ts";

await runProgram(snapshotsProgram(takeWords(process.argv)));
