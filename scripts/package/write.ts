/**
 * Writes the package as npm publishes it.
 *
 * Node strips no types below `node_modules`, so TypeScript becomes JavaScript with declarations. All else is copied as it is, in the
 * same places: paths between files do not change, but for the ending `.ts`, which becomes `.js`.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import ts from "typescript";
import { exportsOf } from "../tables/api.ts";
import { packageManifest, type Manifest } from "./manifest.ts";

const ROOT = join(import.meta.dirname, "../..");

/** What a user runs or reads, besides `src`. The compile cache and the check of Node's version belong to the program. */
const COPIED = [
  "public",
  "template",
  "scripts/commonplace.mjs",
  "scripts/check-node.mjs",
  "scripts/compile-cache.mjs",
  "LICENSE",
  "README.md",
];

const IS_SCRIPT = /\.(?:astro|mjs|ts)$/;
const isDeclaration = (file: string): boolean => file.endsWith(".d.ts");
const isTypeScript = (file: string): boolean => file.endsWith(".ts") && !isDeclaration(file);

/** Relative paths of modules in imports, in `new URL()` and in `<script src>`. */
const named = (text: string): string =>
  text.replace(/(["'])(\.{1,2}\/[^"'\s]+)(?<!\.d)\.ts\1/g, "$1$2.js$1");

const compiled = (file: string, text: string): string =>
  ts.transpileModule(text, {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      // Declarations keep theirs. A module keeps all where Vite reads one.
      removeComments: !text.includes("@vite-ignore"),
    },
  }).outputText;

/** The modules whose declarations editors show to users. The comments of all others would be a tenth of the package. */
const PROMISED = ["commands/astro-integration", "components/props", "layouts/page-props"]
  .concat(["settings/site-config", "site/site-reader"])
  .concat(
    ["site/public.ts", "harvest/library.ts"]
      .flatMap((module) => exportsOf(module))
      .map(({ file }) => file.replace(/\.ts$/, "")),
  );

const printer = ts.createPrinter({ removeComments: true });

/** @param file below `src` */
function declarations(file: string, text: string): string {
  if (PROMISED.includes(file.replaceAll("\\", "/").replace(/\.d\.ts$/, ""))) return text;
  return printer.printFile(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
}

const typesIn = ({ exports }: ReturnType<typeof packageManifest>): string[] =>
  Object.values(exports).flatMap((entry) =>
    typeof entry === "object" ? [relative("src", entry.types)] : [],
  );

/**
 * The declarations that the exports or a component lead to, below `src`. All others, a twentieth of the package, are of modules that
 * nobody else can import.
 */
function reached(types: string, exported: readonly string[], components: readonly string[]) {
  const found = new Set<string>();
  const open = [...exported];
  const follow = (file: string, text: string): void => {
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith("."))
        open.push(join(dirname(file), fileName).replace(/\.[jt]s$/, ".d.ts"));
    }
  };
  for (const file of components)
    follow(relative("src", file), readFileSync(join(ROOT, file), "utf8"));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || !existsSync(join(types, file))) continue;
    found.add(file);
    follow(file, readFileSync(join(types, file), "utf8"));
  }
  return found;
}

/** Writes the package into a folder. */
export function writePackage(folder: string): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const files = globSync("src/**/*", { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  for (const file of files) {
    if (file.endsWith(".json")) {
      // Messages are for programs there: their indentation would take some kilobytes.
      write(file, JSON.stringify(JSON.parse(readFileSync(join(ROOT, file), "utf8"))));
      continue;
    }
    if (!IS_SCRIPT.test(file)) {
      cpSync(join(ROOT, file), join(folder, file));
      continue;
    }
    const text = readFileSync(join(ROOT, file), "utf8");
    const isCompiled = isTypeScript(file);
    write(
      isCompiled ? file.replace(/\.ts$/, ".js") : file,
      named(isCompiled ? compiled(file, text) : text),
    );
  }
  const compiler = [join(ROOT, "node_modules/typescript/bin/tsc"), "--project"];
  const types = join(folder, "types");
  execFileSync(process.execPath, [...compiler, "tsconfig.package.json", "--outDir", types], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
  });
  const manifest = packageManifest(
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest,
  );
  const components = files.filter((file) => file.endsWith(".astro") || isDeclaration(file));
  for (const file of reached(types, typesIn(manifest), components)) {
    const text = readFileSync(join(types, file), "utf8");
    write(join("src", file), named(declarations(file, text)));
  }
  rmSync(types, { recursive: true });
  for (const file of COPIED) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  const program = "scripts/commonplace.mjs";
  write(program, named(readFileSync(join(ROOT, program), "utf8")));
  // A copied component finds what it imports beside the original.
  const rootDirs = ["${configDir}/site", "./src"];
  write(
    "tsconfig.json",
    JSON.stringify({ extends: "astro/tsconfigs/strict", compilerOptions: { rootDirs } }),
  );
  write("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
}
