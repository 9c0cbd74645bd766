/** `npm run audit` */
import { auditProgram } from "../src/commands/audit.ts";
import { runProgram } from "../src/commands/program.ts";

await runProgram(auditProgram);
