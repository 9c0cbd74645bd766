/** The module that the integration's `memo` names; an empty one where it names none. */
declare module "virtual:commonplace/memo" {
  const memo: import("./memo.ts").MemoModule;
  export = memo;
}

/** For `tsc`, which reads no Astro files: a compiled component. */
declare module "*.astro" {
  const component: (result: never, props: object, slots: object) => unknown;
  export default component;
}
