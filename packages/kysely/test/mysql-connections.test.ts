import type { CallOptions } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { createMysqlAdapter, type Mysql2CallbackPool, type Mysql2Connection } from "@postern/kysely";

/** Creates a pool whose only connection fails every query with an error number. */
function failingPool(errno: number) {
  const ended: string[] = [];
  const connection: Mysql2Connection = {
    config: {},
    threadId: 1,
    query: (_, callback) => callback(Object.assign(new Error("made to fail"), { errno }), undefined),
    release: () => ended.push("released"),
    destroy: () => ended.push("destroyed"),
  };
  const pool: Mysql2CallbackPool = { getConnection: (callback) => callback(null, connection), end: (callback) => callback(null) };
  return { data: createMysqlAdapter({ pool }), ended };
}

const calls: { readonly [name: string]: CallOptions | undefined } = {
  "a call": undefined,
  "a call that can be cancelled": { signal: new AbortController().signal },
};

test.each(Object.entries(calls).flatMap(([name, options]) => [1290, 1836, 1047, 1053].map((errno) => [name, errno, options] as const)))(
  "%s closes its connection after error %i, so that the next call can reach another server",
  async (_, errno, options) => {
    const { data, ended } = failingPool(errno);
    await expect(data.collections.used_assertions.count({ tenant_id: "t" }, undefined, options)).rejects.toMatchObject({
      name: "UnavailableError",
    });
    expect(ended).toEqual(["destroyed"]);
  },
);

test.each(Object.entries(calls))("%s keeps its connection in the pool after a conflict on a unique key", async (_, options) => {
  const { data, ended } = failingPool(1062);
  expect(await data.collections.used_assertions.insert([{ tenant_id: "t", jti_hash: "h", expires_at: 1 }], options)).toBe(false);
  expect(ended).toEqual(["released"]);
});

test.each(Object.entries(calls))(
  "%s that fails on a read-only server closes the idle connections before their next use",
  async (_, options) => {
    const ended: string[] = [];
    let errno: number | undefined;
    const open = (name: string): Mysql2Connection => ({
      config: {},
      threadId: 1,
      query: (_query, callback) =>
        errno === undefined ? callback(null, [{ n: 0 }]) : callback(Object.assign(new Error("made to fail"), { errno }), undefined),
      release: () => {
        ended.push(`${name} released`);
        idle.push(connections.get(name) as Mysql2Connection);
      },
      destroy: () => ended.push(`${name} destroyed`),
    });
    const connections = new Map(["a", "b", "c"].map((name) => [name, open(name)]));
    const idle: Mysql2Connection[] = [];
    const unopened = [...connections.values()];
    const pool: Mysql2CallbackPool = {
      getConnection: (callback) => callback(null, (idle.shift() ?? unopened.shift()) as Mysql2Connection),
      end: (callback) => callback(null),
    };
    const data = createMysqlAdapter({ pool });
    const count = () => data.collections.used_assertions.count({ tenant_id: "t" }, undefined, options);
    await Promise.all([count(), count()]);
    errno = 1290;
    await expect(count()).rejects.toMatchObject({ name: "UnavailableError" });
    errno = undefined;
    await count();
    expect(ended).toEqual(["a released", "b released", "a destroyed", "b destroyed", "c released"]);
  },
);

test("a cancelled call without a response closes idle connections that have been silent since the call began", async () => {
  const ended: string[] = [];
  let answers = true;
  const idle: Mysql2Connection[] = [];
  const unopened = ["a", "b", "c"].map((name): Mysql2Connection => {
    const connection: Mysql2Connection = {
      config: {},
      threadId: null,
      query: (_query, callback) => (answers ? callback(null, [{ n: 0 }]) : undefined),
      release: () => {
        ended.push(`${name} released`);
        idle.push(connection);
      },
      destroy: () => ended.push(`${name} destroyed`),
    };
    return connection;
  });
  const pool: Mysql2CallbackPool = {
    getConnection: (callback) => callback(null, (idle.shift() ?? unopened.shift()) as Mysql2Connection),
    end: (callback) => callback(null),
  };
  const data = createMysqlAdapter({ pool });
  const count = (options?: CallOptions) => data.collections.used_assertions.count({ tenant_id: "t" }, undefined, options);
  await Promise.all([count(), count()]);
  answers = false;
  const controller = new AbortController();
  const cancelled = count({ signal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error("no longer waits"));
  await expect(cancelled).rejects.toThrow("no longer waits");
  answers = true;
  await count();
  await count();
  expect(ended).toEqual(["a released", "b released", "a destroyed", "b destroyed", "c released", "c released"]);
});
