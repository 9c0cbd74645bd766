/** `npm run theme -- new NAME` */
import { runProgram } from "../src/commands/program.ts";
import { themeProgram } from "../src/commands/theme.ts";

// `new NAME` comes before the options, which are the program's own business.
const operands = process.argv.slice(2).filter((word) => !word.startsWith("-"));
process.argv = process.argv.filter((word) => !operands.includes(word));
await runProgram(themeProgram(operands));
