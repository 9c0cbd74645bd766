/** In which ways a page is looked at: light and dark, on a phone and on a desk, with scripts and without. */

export interface View {
  readonly scheme: "light" | "dark";
  /** In CSS pixels. */
  readonly width: number;
  readonly scripts: boolean;
}

const WIDTHS = [320, 1280];

export const VIEWS: readonly View[] = (["light", "dark"] as const).flatMap((scheme) =>
  WIDTHS.flatMap((width) => [true, false].map((scripts) => ({ scheme, width, scripts }))),
);

export function nameOf({ scheme, width, scripts }: View): string {
  return `${scheme}, ${width} px, ${scripts ? "with" : "without"} scripts`;
}
