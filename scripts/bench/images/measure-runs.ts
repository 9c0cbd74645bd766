/** Two runs of the stage over pictures from a loopback host, and a bare loop of sharp over the same files. */
import { once } from "node:events";
import { join } from "node:path";
import type { PictureReport } from "../../../src/images/thumbnails.ts";
import { measure, type Measured, start } from "./child.ts";
import { writePictures } from "./pictures.ts";

/** The bare loop and the stage take turns, so that a machine with other work is unfair to both. */
const ROUNDS = ["a", "b", "c", "d"];

type Stage = Measured & { readonly report: PictureReport };

export interface Runs {
  /** Of the originals. */
  readonly bytes: number;
  /** One a round. */
  readonly bare: readonly Measured[];
  readonly first: readonly Stage[];
  /** Over all the pictures. */
  readonly second: Stage;
}

export async function measureRuns(count: number, folder: string): Promise<Runs> {
  const pictures = join(folder, "pictures");
  const folders = ROUNDS.map((round) => join(pictures, round));
  const bytes = await writePictures(folders, count);
  const host = start("host", [pictures]);
  const [port] = (await once(host, "message")) as [number];
  const stage = (...rounds: string[]) =>
    measure<Stage>("stage", [`http://127.0.0.1:${port}`, folder, pictures, ...rounds]);
  const [bare, first]: [Measured[], Stage[]] = [[], []];
  for (const round of ROUNDS) {
    bare.push(await measure<Measured>("bare", [join(pictures, round)]));
    first.push(await stage(round));
  }
  const second = await stage(...ROUNDS);
  host.disconnect();
  return { bytes, bare, first, second };
}
