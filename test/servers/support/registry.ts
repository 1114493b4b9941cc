import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An npm registry of packed packages, so that tests install them by name before they are published. */
export interface Registry {
  /**
   * The contents of `.npmrc` for a folder: packages of the scope `@postern` come from here, all others from the default
   * registry.
   */
  readonly npmrc: string;
  close(): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Serves tarballs as packages. */
export async function serveRegistry(tarballs: readonly string[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    const found = packages.get(path);
    if (found === undefined) response.writeHead(404).end("{}");
    else response.setHeader("content-type", typeof found === "string" ? "application/json" : "application/octet-stream").end(found);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;

  const packages = new Map<string, string | Buffer>();
  for (const tarball of tarballs) {
    const manifest = JSON.parse(execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" })) as Manifest;
    const { name, version } = manifest;
    const bytes = readFileSync(tarball);
    const file = `/tarballs/${name.replace("/", "-")}.tgz`;
    const dist = { tarball: address + file, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
    packages.set(file, bytes);
    const published = { ...manifest, dist };
    packages.set(`/${name}`, JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: published } }));
    // pnpm requests these URLs.
    for (const tag of ["latest", version]) packages.set(`/${name}/${tag}`, JSON.stringify(published));
  }
  return {
    npmrc: `@postern:registry=${address}/\n`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
