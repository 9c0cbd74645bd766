/** What bundling leaves in the memory of Astro's build, and how a build goes on without bundling. */
import type { HookParameters } from "astro";
import type { Rolldown, ViteBuilder } from "vite";

export type BuildApp = (builder: ViteBuilder) => Promise<void>;
export type PagesData = HookParameters<"astro:build:setup">["pages"];
type PageData = PagesData extends Map<string, infer Data> ? Data : never;

/** What bundling leaves in the memory of Astro's build, and rendering reads. */
export interface BundleState {
  /** Name of the module with the app. */
  readonly entry: string;
  /** Style sheets of each page. */
  readonly styles: readonly (readonly [page: string, sheets: PageData["styles"]])[];
  /** Images that the site shows as they are. */
  readonly images: readonly string[];
}

/** The images that modules refer to. */
const referencedImages = (): Set<string> => (globalThis.astroAsset.referencedImages ??= new Set());

/** @param entry name of the module with the app */
export function bundleState(entry: string, pages: PagesData): BundleState {
  const styles = Array.from(pages, ([page, data]) => [page, data.styles] as const);
  return { entry, styles, images: [...referencedImages()] };
}

/** Lets Astro believe that it bundled: `buildApp` runs, and each environment is built already. */
export async function skipBundling(
  [builder, buildApp, pages]: readonly [ViteBuilder, BuildApp, PagesData],
  { entry, styles, images }: BundleState,
): Promise<void> {
  const output = [{ type: "chunk", fileName: entry, code: "", moduleIds: [] }];
  await buildApp({
    ...builder,
    build: (environment) => {
      environment.isBuilt = true;
      const isOfPages = environment.name === "prerender";
      return Promise.resolve({
        output: isOfPages ? output : [],
      } as unknown as Rolldown.RolldownOutput);
    },
  });
  for (const [page, sheets] of styles) pages.get(page)?.styles.push(...sheets);
  for (const image of images) referencedImages().add(image);
  const plugins = builder.environments["prerender"]?.config.plugins ?? [];
  const assets = plugins.find(({ name }) => name === "astro:assets");
  (assets?.buildStart as (() => void) | undefined)?.call(undefined as never);
}
