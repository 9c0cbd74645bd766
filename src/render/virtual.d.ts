/** The module of the integration's option `memo`, or an empty one. */
declare module "virtual:commonplace/memo" {
  type Memo = import("./memo.ts").MemoModule;
  export const component: Memo["component"];
  export const entries: Memo["entries"];
  export const use: Memo["use"];
}

/** A compiled component, for `tsc`, which does not read Astro files. */
declare module "*.astro" {
  const component: (result: never, props: object, slots: object) => unknown;
  export default component;
}
