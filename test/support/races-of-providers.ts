import type { LogDelivery } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import {
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  openFederation,
  signInAtProvider,
  findUsers,
  type Federation,
} from "../upstream/journey.ts";
import { openBrowser, type Browser } from "./browser.ts";
import { object } from "./api.ts";
import { codeGrant, fakeHasher, successParameters, offline, tokens } from "./flow.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

const many = Array.from({ length: 32 }, (_, i) => i);
const connection = "Username-Password-Authentication";

/** What must hold of sign-ins at a provider, of imports and of deliveries where thirty-two come at once, through two services on one store, on any store. */
export function testProviderRaces(store: () => Promise<DataAdapter>): void {
  let federation: Federation;
  let second: TestPostern;
  const delivered: LogDelivery[] = [];

  beforeAll(async () => {
    const logSinks = { bus: { deliver: async (delivery: LogDelivery) => void delivered.push(delivery) } };
    const options = { data: await store(), logSinks };
    federation = await openFederation(options);
    await federation.connect({ options: { scope: "openid profile email offline_access" } });
    const { service, provider } = federation;
    // What the provider is asked by the other one goes through the same list.
    const fetch = async (request: Request): Promise<Response> => {
      federation.requests.push(request.clone());
      return provider.postern.fetch(request);
    };
    second = await createTestPostern({ ...options, network: { fetch }, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
  });

  const through = (i: number, cookies?: ReadonlyMap<string, string>): Browser =>
    openBrowser(i % 2 === 0 ? federation.service.postern : second.postern, cookies);
  const exchanges = (since: number): number => federation.requests.slice(since).filter(({ url }) => url.includes("/oauth/token")).length;

  test("of thirty-two answers with one state one is looked at, and there is one account", async () => {
    const { service, provider } = federation;
    const browser = service.browser();
    const back = await signInAtProvider(
      federation,
      await goToProvider(federation, browser, service.web),
      await provider.addUser("rex@people.example"),
    );
    const asked = federation.requests.length;
    await Promise.all(many.map((i) => through(i, browser.cookies).get(back)));
    expect(exchanges(asked)).toBe(1);
    expect(await findUsers(federation, "email:rex@people.example")).toHaveLength(1);
  });

  test("of thirty-two first logins of one person all sign in to one account", async () => {
    const { service, provider } = federation;
    const sam = await provider.addUser("sam@people.example");
    const ways = await Promise.all(
      many.map(async (i) => {
        const browser = service.browser();
        const back = await signInAtProvider(federation, await goToProvider(federation, browser, service.web), sam);
        return { back, browser: through(i, browser.cookies) };
      }),
    );
    const reached = await Promise.all(ways.map(({ browser, back }) => returnFromProvider(browser, back)));
    expect(new Set(reached.map(({ kind }) => kind))).toEqual(new Set(["answer"]));
    expect(await findUsers(federation, "email:sam@people.example")).toMatchObject([{ logins_count: 32 }]);
  });

  test("of thirty-two that ask for a provider's token that is over, through two services, one has it replaced", async () => {
    const { service, provider } = federation;
    const grantType = "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token";
    const agent = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", grantType] });
    await federation.enableFor(agent);
    const uma = await provider.addUser("uma@people.example");
    const { code = "" } = successParameters(await signInWithProvider(federation, uma, { app: agent, asked: offline }));
    const { refresh } = tokens(await service.exchange(codeGrant(agent, code)));
    const body = {
      grant_type: grantType,
      client_id: agent.clientId,
      client_secret: agent.secret,
      connection: "fieldnotes",
      subject_token: refresh,
      subject_token_type: "urn:ietf:params:oauth:token-type:refresh_token",
    };
    service.clock.advance("25h");
    const asked = federation.requests.length;
    const answers = await Promise.all(many.map((i) => (i % 2 === 0 ? service : second).call("POST", "/oauth/token", { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => object(answer)["access_token"])).size).toBe(1);
    expect(exchanges(asked)).toBe(1);
  });

  test("of eight imports of the same users each user is made once, with a password of its own", async () => {
    const { service } = federation;
    const users = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => ({
        email: `import-${n}@example.test`,
        password_hash: await fakeHasher.hash(`word ${n}`),
      })),
    );
    const counts = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? service : second).postern.importUsers("main", users, { connection })),
    );
    expect(counts.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(120);
    expect(counts.reduce((sum, { failed }) => sum + failed, 0)).toBe(7 * 120);
    const { collections } = service.data;
    for (const n of [0, 99, 100, 119]) {
      const where = { tenant_id: "main", connection, email_key: `import-${n}@example.test` };
      const [user] = await collections.users.find({ where, limit: 1 });
      const kept = await collections.passwords.find({ where: { tenant_id: "main", user_id: user?.user_id ?? "" }, limit: 5 });
      expect(kept).toMatchObject([{ id: user?.password_id, hash: await fakeHasher.hash(`word ${n}`) }]);
    }
  });

  test("of thirty-two that deliver one does, and each event comes once, in order", async () => {
    const { service } = federation;
    await service.manage.create("/api/v2/log-streams", { type: "bus", sink: {} });
    for (const name of ["a", "b", "c"]) await service.manage.create("/api/v2/roles", { name });
    service.clock.advance("4s");
    await Promise.all(many.map((i) => (i % 2 === 0 ? service : second).postern.jobs.deliverEvents()));
    const ids = delivered.flatMap(({ events }) => events.map(({ date, log_id: id }) => `${date} ${id}`));
    expect(ids.length).toBeGreaterThanOrEqual(3);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted());
  });
}
