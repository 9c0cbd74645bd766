import js from "@eslint/js";
import astro from "eslint-plugin-astro";
import globals from "globals";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist/", "**/.astro/", ".commonplace/", "coverage/", "shards/"] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  ...astro.configs.recommended,
  { languageOptions: { globals: globals.node } },
  {
    files: ["src/**/*.ts", "scripts/**/*.ts", "test/**/*.ts", "vitest.config.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
    },
  },
  {
    // Astro reads the type, also where a component uses none of its props.
    files: ["**/*.astro"],
    rules: { "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^Props$" }] },
  },
  {
    files: ["src/islands/offline/*.mjs"],
    languageOptions: { globals: globals.serviceworker },
  },
  {
    files: ["src/islands/**"],
    languageOptions: { globals: globals.browser },
  },
  {
    rules: {
      "no-console": "error",
      eqeqeq: "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-control-regex": "off",
      "no-restricted-properties": [
        "error",
        ...["getOrInsert", "getOrInsertComputed"].map((property) => ({
          property,
          message: "Node 24 lacks it: use getOrCompute() of src/util/get-or-compute.ts.",
        })),
      ],
    },
  },
  { files: ["scripts/**"], rules: { "no-console": "off" } },
);
