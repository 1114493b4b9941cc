import { createPostern, type Postern } from "@postern/core";
import type { DataAdapter, StoredRow } from "@postern/core/adapter";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { logoutUrl, openLogoutService, type LogoutService, type Respond } from "../logout/receivers.ts";
import { forEachWrite } from "./each-write.ts";
import { fakeHasher, obtainTokens, offline } from "./flow.ts";
import { issuer } from "./postern.ts";

interface Logouts {
  readonly service: LogoutService;
  /** The names of the receivers. */
  readonly names: readonly string[];
  /** Inserts sessions of Ada. Each was used by every client, or by those that `clientsOf` returns for its number. @returns their ids. */
  addSessions(count: number, clientsOf?: (session: number) => readonly string[]): Promise<readonly string[]>;
  /** Revokes all sessions of Ada with the API of a process. Never resolves if the process crashed. */
  revoke(process?: Postern): Promise<unknown>;
  /** The sessions that a receiver was told of, once for each delivery. */
  toldOf(name: string): readonly string[];
  openProcess(data: DataAdapter): Postern;
}

async function openLogouts(data: DataAdapter, names: readonly string[], respond?: Respond): Promise<Logouts> {
  const service = await openLogoutService({ data });
  if (respond !== undefined) service.setResponse(respond);
  const clientIds = new Map<string, string>();
  for (const name of names) {
    const app = await service.receiver(name, { backchannel_logout_initiators: { mode: "all" } });
    clientIds.set(name, app.clientId);
  }
  await obtainTokens(service, service.web, service.ada, offline, service.browser());
  const [model] = await data.collections.sessions.find({ where: { tenant_id: "main", user_id: service.ada.userId }, limit: 1 });
  if (model === undefined) throw new Error("there is no session");
  let number = 0;
  return {
    service,
    names,
    addSessions: async (count, clientsOf = () => names) => {
      const rows = Array.from({ length: count }, (_, i): StoredRow<"sessions"> => {
        const clients = clientsOf(i).map((name) => clientIds.get(name) ?? "");
        return { ...model, id: `sess_copy${++number}`, cookie_hash: null, clients, revoked_at: null, logout_at: model.expires_at };
      });
      for (let i = 0; i < rows.length; i += 50) expect(await data.collections.sessions.insert(rows.slice(i, i + 50))).toBe(true);
      return rows.map(({ id }) => id);
    },
    revoke: async (process = service.postern) => process.tenant("main").users.sessions.deleteAll(service.ada.userId),
    toldOf: (name) => service.received.filter(({ url }) => url === logoutUrl(name)).map(({ token }) => String(decodeJwt(token)["sid"])),
    openProcess: (own) =>
      createPostern({
        issuer,
        data: own,
        crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", hasher: fakeHasher },
        defaultTenantId: "main",
        controlPlane: { tenantId: "main" },
        testing: { clock: service.clock },
        logger: { log: () => {} },
        network: { fetch: service.fetchOfReceivers },
      }),
  };
}

/** Adds the tests for logout tokens that are delivered in parallel, or by processes that crash. */
export function testLogoutRaces(open: () => Promise<DataAdapter>): void {
  test("200 sessions of 20 clients end: each client is told of each of its sessions in one call, except one that hangs and one that fails", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `app${i}`);
    const [hanging, failing, ...live] = names;
    const respond: Respond = ({ url }, signal) => {
      if (url === logoutUrl(failing ?? "")) return new Response(null, { status: 500 });
      if (url !== logoutUrl(hanging ?? "")) return new Response(null, { status: 200 });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    };
    const { service, addSessions, revoke, toldOf } = await openLogouts(await open(), names, respond);
    // Each client has 30 to 50 sessions, in an order of its own.
    const clientsOf = (i: number): readonly string[] => [0, 1, 5, 11].map((step) => names[(i * 3 + step) % names.length] ?? "");
    const sessions = await addSessions(200, clientsOf);
    await revoke();
    const call = await service.deliver();
    expect(call.failed).toBeGreaterThanOrEqual(2);
    const expectedOf = (name: string): readonly string[] => sessions.filter((_, i) => clientsOf(i).includes(name));
    for (const name of live) expect(toldOf(name).toSorted()).toEqual(expectedOf(name).toSorted());
    expect(call.delivered).toBe(live.reduce((sum, name) => sum + expectedOf(name).length, 0));
  }, 60_000);

  test("two processes with overlapping calls tell each client of each session", async () => {
    const data = await open();
    const { service, names, addSessions, revoke, toldOf, openProcess } = await openLogouts(data, ["app0", "app1", "app2"]);
    const sessions = await addSessions(15);
    await revoke();
    const processes = [service.postern, openProcess(data)];
    for (let rounds = 0; (await data.collections.logout_deliveries.count({ tenant_id: "main" })) > 0 || rounds === 0; rounds++) {
      expect(rounds).toBeLessThan(20);
      await Promise.all(processes.flatMap(({ jobs }) => [jobs.deliverEvents({ budget: 10 }), jobs.deliverEvents({ budget: 10 })]));
    }
    for (const name of names) expect(new Set(toldOf(name))).toEqual(new Set(sessions));
  });

  test.each(["before", "after"] as const)(
    "a process that crashes %s any write of a logout and its deliveries loses no logout token",
    async (side) => {
      const data = await open();
      const { service, names, addSessions, revoke, toldOf, openProcess } = await openLogouts(data, ["app0", "app1"]);
      await forEachWrite(async (crashAt) => {
        const sessions = await addSessions(3);
        let writes = 0;
        const crashing = aroundWrites(data, async (name, run) => {
          // Audit events are inserted together with others, so their number varies.
          if (name === "logs.insert") return run();
          if (++writes < crashAt) return run();
          if (writes === crashAt && side === "after") await run();
          return new Promise(() => {});
        });
        const process = openProcess(crashing);
        const work = revoke(process)
          .then(() => process.jobs.deliverEvents())
          .then(() => true);
        // A process that crashed responds to nothing. Its calls time out, or never end.
        work.catch(() => {});
        if (crashAt === Infinity) await work;
        else await expect.poll(() => writes).toBeGreaterThanOrEqual(crashAt);
        const made = writes;
        // The caller got no response, so it repeats the request.
        await revoke();
        await service.deliver();
        service.clock.advance("61s");
        while (!(await service.deliver()).finished);
        for (const name of names) expect(toldOf(name)).toEqual(expect.arrayContaining([...sessions]));
        return made;
      });
    },
  );

  test("an expiry that races with a logout tells each client, and a session that is used in the meantime is not told", async () => {
    const data = await open();
    const { service, names, addSessions, revoke, toldOf } = await openLogouts(data, ["app0"]);
    const sessions = await addSessions(20);
    service.clock.advance("4d");
    await Promise.all([service.deliver(), revoke(), service.deliver()]);
    while (!(await service.deliver()).finished);
    await service.deliver();
    for (const name of names) expect(new Set(toldOf(name))).toEqual(new Set(sessions));
  });

  test("parallel requests to repeat a failed delivery send it once", async () => {
    const { service, addSessions, revoke, toldOf } = await openLogouts(await open(), ["app0"], () => new Response(null, { status: 400 }));
    await addSessions(1);
    await revoke();
    await service.deliver();
    const [delivery] = await service.data.collections.logout_deliveries.find({ where: { tenant_id: "main" }, limit: 2 });
    const retry = () => service.manage("POST", `/api/v2/logout-deliveries/${delivery?.id ?? ""}/retry`);
    const responses = await Promise.all(Array.from({ length: 8 }, retry));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
    await Promise.all([service.deliver(), service.deliver(), service.deliver()]);
    expect(toldOf("app0")).toHaveLength(2);
  });
}
