import type { LogDelivery } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import {
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  openFederation,
  submitProviderSignIn,
  searchUsers,
  type Federation,
} from "../upstream/federation.ts";
import { openBrowser, type Browser } from "./browser.ts";
import { jsonBody } from "./api.ts";
import { codeGrant, fakeHasher, successParameters, offline, tokens } from "./flow.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

const many = Array.from({ length: 32 }, (_, i) => i);
const connection = "Username-Password-Authentication";

/**
 * Adds the tests for thirty-two parallel sign-ins at an identity provider, imports and deliveries, through two services
 * on one store, for any store.
 */
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
    // Requests of the second service to the identity provider are added to the same list.
    const fetch = async (request: Request): Promise<Response> => {
      federation.requests.push(request.clone());
      return provider.postern.fetch(request);
    };
    second = await createTestPostern({ ...options, network: { fetch }, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
  });

  const through = (i: number, cookies?: ReadonlyMap<string, string>): Browser =>
    openBrowser(i % 2 === 0 ? federation.service.postern : second.postern, cookies);
  const exchanges = (since: number): number => federation.requests.slice(since).filter(({ url }) => url.includes("/oauth/token")).length;

  test("exchanges one code and creates one account for thirty-two parallel callbacks with the same state", async () => {
    const { service, provider } = federation;
    const browser = service.browser();
    const back = await submitProviderSignIn(
      federation,
      await goToProvider(federation, browser, service.web),
      await provider.addUser("rex@people.example"),
    );
    const requested = federation.requests.length;
    await Promise.all(many.map((i) => through(i, browser.cookies).get(back)));
    expect(exchanges(requested)).toBe(1);
    expect(await searchUsers(federation, "email:rex@people.example")).toHaveLength(1);
  });

  test("uses one account for thirty-two parallel first logins of one user", async () => {
    const { service, provider } = federation;
    const sam = await provider.addUser("sam@people.example");
    const methods = await Promise.all(
      many.map(async (i) => {
        const browser = service.browser();
        const back = await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), sam);
        return { back, browser: through(i, browser.cookies) };
      }),
    );
    const result = await Promise.all(methods.map(({ browser, back }) => returnFromProvider(browser, back)));
    expect(new Set(result.map(({ kind }) => kind))).toEqual(new Set(["response"]));
    expect(await searchUsers(federation, "email:sam@people.example")).toMatchObject([{ logins_count: 32 }]);
  });

  test("refreshes an expired provider token once for thirty-two parallel requests through two services", async () => {
    const { service, provider } = federation;
    const grantType = "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token";
    const agent = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", grantType] });
    await federation.enableFor(agent);
    const uma = await provider.addUser("uma@people.example");
    const { code = "" } = successParameters(await signInWithProvider(federation, uma, { app: agent, parameters: offline }));
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
    const requested = federation.requests.length;
    const responses = await Promise.all(many.map((i) => (i % 2 === 0 ? service : second).call("POST", "/oauth/token", { body })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => jsonBody(response)["access_token"])).size).toBe(1);
    expect(exchanges(requested)).toBe(1);
  });

  test("creates each user of eight parallel imports once, with one password", async () => {
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
      const stored = await collections.passwords.find({ where: { tenant_id: "main", user_id: user?.user_id ?? "" }, limit: 5 });
      expect(stored).toMatchObject([{ id: user?.password_id, hash: await fakeHasher.hash(`word ${n}`) }]);
    }
  });

  test("delivers each event once and in order if thirty-two deliveries run in parallel", async () => {
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
