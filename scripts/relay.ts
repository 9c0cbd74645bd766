/** `npm run relay` */
import { runProgram } from "../src/commands/program.ts";
import { relayProgram } from "../src/commands/relay.ts";

await runProgram(relayProgram);
