/** The module of the integration's option `memo`, or an empty one. */
declare module "virtual:commonplace/memo" {
  const memo: import("./memo.ts").MemoModule;
  export = memo;
}

/** A compiled component, for `tsc`, which does not read Astro files. */
declare module "*.astro" {
  const component: (result: never, props: object, slots: object) => unknown;
  export default component;
}
