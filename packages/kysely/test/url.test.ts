import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "@postern/kysely/url";
import { postgres } from "../src/dialects/postgres.ts";
import { sqlite } from "../src/dialects/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-kysely-url-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  "sqlite::memory:",
  `sqlite:${folder}/new/folder/app.db`,
  `sqlite://${folder}/other.db`,
  "pglite::memory:",
  `pglite:${folder}/new/pglite`,
])("opens, migrates and reopens the database at %s", async (url) => {
  const data = await openDatabase(url);
  await expect(data.check()).rejects.toThrow(/table postern_tenants.* missing in the database: run migrate\(\)/);
  const { migrations } = url.startsWith("sqlite") ? sqlite : postgres;
  expect(await data.migrate()).toEqual({ applied: Object.keys(migrations) });
  await data.check();
  expect(await data.collections.used_assertions.insert([{ tenant_id: "t", jti_hash: "h", expires_at: 1 }])).toBe(true);
  await data.close();
  if (url.includes(":memory:")) return;

  const again = await openDatabase(url);
  expect(await again.migrate()).toEqual({ applied: [] });
  expect(await again.collections.used_assertions.count({ tenant_id: "t" })).toBe(1);
  await again.close();
});

test("closes the connections of an adapter that was never used", async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.close();
  await expect(data.migrate()).rejects.toThrow();
});

test("rejects an unknown database URL without the URL in the error message", async () => {
  const refused = openDatabase("oracle://scott:tiger@db/app");
  await expect(refused).rejects.toThrow("must start with sqlite:");
  await expect(refused).rejects.not.toThrow("tiger");
  await expect(openDatabase("sqlite:")).rejects.toThrow("must be followed by a path");
  // Callers in JavaScript may pass an environment variable that is not set.
  const unset: { readonly url?: string } = {};
  await expect(openDatabase(unset.url as string)).rejects.toThrow(/must be a string such as sqlite:.*, not undefined/);
});

test("rejects a prepare parameter that is neither true nor false", async () => {
  await expect(openDatabase("postgres://db/app?prepare=no")).rejects.toThrow("must be true or false");
  await (await openDatabase("postgres://db/app?sslmode=disable&prepare=false")).close();
});

test("reports a server that cannot be reached as unavailable", async () => {
  for (const url of ["postgres://user@127.0.0.1:9/none", "mysql://user@127.0.0.1:9/none"]) {
    const data = await openDatabase(url);
    await expect(data.collections.tenants.count({ id: "t" })).rejects.toMatchObject({ name: "UnavailableError" });
    await data.close();
  }
});

test.each(["postgres", "mysql"])(
  "%s: reports a server that accepts a connection and does not answer as unavailable after 3 seconds",
  async (protocol) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    // The address of a server that listens on a port is an AddressInfo.
    const data = await openDatabase(`${protocol}://user@127.0.0.1:${(server.address() as AddressInfo).port}/none`);
    const start = performance.now();
    await expect(data.collections.tenants.count({ id: "t" })).rejects.toMatchObject({ name: "UnavailableError" });
    expect(performance.now() - start).toBeGreaterThan(2900);
    await data.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  },
);

test("rejects the name of a session variable that is not an identifier", async () => {
  const opened = openDatabase("mysql://root@127.0.0.1:9/none", { sessionVariables: { "x = 1; drop table users; --": 1 } });
  await expect(opened).rejects.toThrow(/is not the name of a session variable/);
});
