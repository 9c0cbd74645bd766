/**
 * A registry on this machine that needs no other: it serves the packages that `package-lock.json` names, packed from
 * `node_modules`, and this package. Packages for other systems are not there: what is served for one holds its `package.json` alone.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { getOrCompute } from "../../src/util/get-or-compute.ts";
import { folderWith } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly inBundle?: boolean;
  /** Where npm's own registry has the file, and its digest: neither is so here. */
  readonly integrity?: string;
  readonly resolved?: string;
}

interface Package {
  readonly name: string;
  readonly version: string;
  /** As the registry of npm gives it for a version. */
  readonly manifest: object;
  readonly pack: () => Promise<Buffer>;
}

function lockedPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const all = Object.entries(lock.packages)
    .filter(([path, { inBundle }]) => path !== "" && inBundle !== true)
    .map(([path, { integrity: _, resolved: __, ...locked }]) => {
      const name = locked.name ?? path.split("node_modules/").at(-1) ?? "";
      const manifest = { ...locked, name };
      const folder = join(ROOT, path);
      const packageFolder = (): string =>
        existsSync(folder) ? folder : folderWith({ "package.json": JSON.stringify(manifest) });
      return { name, version: locked.version, manifest, pack: () => packed(packageFolder()) };
    });
  // A version may be in several folders.
  return [...new Map(all.map((one) => [`${one.name}@${one.version}`, one])).values()];
}

/** Packages inside its `node_modules` are packages of their own here. */
async function packed(folder: string): Promise<Buffer> {
  const args = ["--exclude=./node_modules", "--transform=s,^\\.,package,", "-C", folder, "."];
  const options = { encoding: "buffer", maxBuffer: 1e9 } as const;
  return promisify(execFile)("tar", ["-cf", "-", "-I", "gzip -1", ...args], options).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      // 1: a file got another hard link meanwhile.
      const { code, stdout } = error as { code?: number; stdout?: Buffer };
      if (code === 1 && stdout !== undefined) return stdout;
      throw error;
    },
  );
}

/**
 * @param file the packed package of this repository
 * @param manifest what its `package.json` holds
 */
export async function startRegistry(file: string, manifest: { name: string; version: string }) {
  const own = { ...manifest, manifest, pack: () => readFile(file) };
  const packages = Map.groupBy([...lockedPackages(), own], ({ name }) => name);
  const files = new Map<Package, Promise<Buffer>>();
  const atOnce = pLimit(4);
  const fileOf = (one: Package) => getOrCompute(files, one, ({ pack }) => atOnce(pack));

  async function answer(url: string): Promise<string | Buffer | null> {
    const [name = "", file] = decodeURIComponent(url).slice(1).split("/-/");
    const versions = packages.get(name);
    if (versions === undefined) return null;
    if (file === undefined) return JSON.stringify(await packument(versions));
    const wanted = versions.find(({ version }) => file.endsWith(`-${version}.tgz`));
    return wanted === undefined ? null : fileOf(wanted);
  }

  /** @param versions of one package */
  async function packument(versions: readonly Package[]) {
    const [{ name } = { name: "" }] = versions;
    const described = versions.map(async (one) => [
      one.version,
      { ...one.manifest, dist: await distOf(one) },
    ]);
    return {
      name,
      "dist-tags": {
        latest: versions
          .map(({ version }) => version)
          .sort(byNumber)
          .at(-1),
      },
      versions: Object.fromEntries(await Promise.all(described)) as object,
      // Installers may refuse what is young.
      time: Object.fromEntries(versions.map(({ version }) => [version, "2020-01-01T00:00:00Z"])),
    };
  }

  async function distOf(one: Package) {
    const { name, version } = one;
    const tarball = `${address}${name}/-/${name.split("/").at(-1) ?? ""}-${version}.tgz`;
    const digest = createHash("sha512").update(await fileOf(one));
    return { tarball, integrity: `sha512-${digest.digest("base64")}` };
  }

  const server = createServer(({ url = "" }, response) => {
    answer(url).then(
      (body) => response.writeHead(body === null ? 404 : 200).end(body ?? "{}"),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    address,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
