import sharp from "sharp";
import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/contract/errors.ts";
import { installPlugin, makeIcons } from "../../src/images/icons.ts";
import { folderWith } from "../support/run/index.ts";

const svg = (size: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%"/></svg>`;

test.each(['viewBox="0 0 8 8"', 'viewBox="0 0 512 512"', 'width="20000" height="20000"'])(
  "makeIcons() draws a mark with %s",
  async (size) => {
    const { png, ico } = await makeIcons(Buffer.from(svg(size)), "#ffffff");
    const { dominant } = await sharp(png["icon-512"]).stats();
    expect(dominant).toEqual({ r: 8, g: 8, b: 8 });
    expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  },
);

test("installPlugin() names a mark that cannot be drawn", async () => {
  const folder = folderWith({ "icon.svg": "<svg" });
  const papers = { light: "#ffffff", dark: "#000000", icon: "#ffffff" };
  const plugin = installPlugin({ mark: `${folder}/icon.svg`, papers });
  const loading = plugin.load(plugin.resolveId("virtual:commonplace/install") ?? "");
  await expect(loading).rejects.toThrow(ConfigurationError);
  await expect(loading).rejects.toThrow(/^Cannot draw icons from .*icon\.svg: [^\n]*$/);
});
