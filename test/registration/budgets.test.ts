import { describe, expect, test } from "vitest";
import { expectError, jsonBody, list } from "../support/api.ts";
import { login, type LoginService } from "../support/flow.ts";
import {
  initialAccessToken,
  codeForTools,
  openServiceForStrangers,
  publicClient,
  register,
  registered,
  setOpenRegistration,
} from "../support/registration.ts";
import type { TestOptions } from "../support/postern.ts";

async function openToAll(limits: TestOptions["limits"] = {}): Promise<LoginService> {
  const service = await openServiceForStrangers({ limits: { registrationsPerAddress: 1000, ...limits } });
  await setOpenRegistration(service, true);
  return service;
}

/** Registers a client from an IP address. @returns the status of the response. */
async function registerFrom({ postern }: LoginService, clientAddress?: string): Promise<number> {
  const request = new Request(`${postern.issuer}oidc/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(publicClient),
  });
  return (await postern.fetch(request, clientAddress === undefined ? {} : { clientAddress })).status;
}

const idsOf = async (service: LoginService): Promise<readonly unknown[]> =>
  list(await service.manage("GET", "/api/v2/clients?external_metadata_type=dcr&per_page=100")).map(({ client_id: id }) => id);

describe("the limit per address", () => {
  test("allows 20 registrations an hour by default, for each address and network", async () => {
    const service = await openServiceForStrangers();
    await setOpenRegistration(service, true);
    for (let i = 0; i < 20; i++) expect(await registerFrom(service, "192.0.2.1")).toBe(201);
    const refused = await register(service);
    expectError(refused, 429, "TOO_MANY_REQUESTS", "IP address");
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await registerFrom(service, "192.0.2.2")).toBe(201);
    expect(await registerFrom(service), "the address is unknown").toBe(201);
    for (let i = 0; i < 20; i++) expect(await registerFrom(service, `2001:db8::${i + 1}`)).toBe(201);
    expect(await registerFrom(service, "2001:db8::ffff")).toBe(429);
    service.clock.advance("1h");
    expect(await registerFrom(service, "192.0.2.1")).toBe(201);
  });

  test("does not count registrations with an initial access token, nor rejected ones", async () => {
    const service = await openToAll({ registrationsPerAddress: 1 });
    for (let i = 0; i < 3; i++) expectError(await register(service, { redirect_uris: ["http://a.example/"] }), 400, "invalid_redirect_uri");
    await registered(service);
    expect(await register(service)).toMatchObject({ status: 429 });
    const token = await initialAccessToken(service, { uses: 3 });
    for (let i = 0; i < 3; i++) await registered(service, publicClient, token);
  });
});

describe("the limit of unused clients", () => {
  test("is 200 by default", async () => {
    const service = await openServiceForStrangers();
    await setOpenRegistration(service, true);
    for (let i = 0; i < 200; i++) expect(await registerFrom(service, `192.0.2.${i}`)).toBe(201);
    expect(await registerFrom(service, "192.0.2.222")).toBe(429);
    service.clock.advance("10m");
    expect(await registerFrom(service, "192.0.2.222")).toBe(201);
  });

  test("deletes the oldest client above ten minutes, and never one that a user accepted", async () => {
    const service = await openToAll({ unusedClients: 3 });
    const accepted = await registered(service);
    await codeForTools(service.browser(), accepted, service.ada);
    const byToken = await registered(service, publicClient, await initialAccessToken(service));
    const oldest = await registered(service);
    service.clock.advance("1m");
    const others = [await registered(service), await registered(service)];
    const refused = await register(service);
    expectError(refused, 429, "TOO_MANY_REQUESTS", "accepted");
    expect(refused.headers.get("retry-after")).toBe("60");

    service.clock.advance("9m");
    const newest = await registered(service);
    expect(await idsOf(service)).toEqual(expect.arrayContaining([accepted, byToken, ...others, newest].map(({ clientId }) => clientId)));
    expect(await idsOf(service)).not.toContain(oldest.clientId);
    expectError(await service.call("GET", oldest.path, { token: oldest.token }), 401, "invalid_token");
    expectError(await register(service), 429, "TOO_MANY_REQUESTS");
  });

  test("holds for parallel registrations up to their own number", async () => {
    const service = await openToAll({ unusedClients: 5 });
    await Promise.all(Array.from({ length: 5 }, () => registered(service)));
    service.clock.advance("10m");
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await register(service)).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(await idsOf(service)).toHaveLength(5);
  });
});

test("signs a user in while 100 addresses send 10,000 registrations, of which at most 200 are stored", { timeout: 60_000 }, async () => {
  const service = await openServiceForStrangers();
  await setOpenRegistration(service, true);
  const healthy = await registered(service, publicClient, await initialAccessToken(service));
  const statuses = new Map<number, number>();
  for (let round = 0; round < 100; round++) {
    const sent = await Promise.all(Array.from({ length: 100 }, (_, i) => registerFrom(service, `198.51.100.${i}`)));
    for (const status of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (round % 25 === 0) {
      expect(await codeForTools(service.browser(), healthy, service.ada)).not.toBe("");
      expect(await login(service.browser(), service.web, service.ada)).toHaveProperty("code");
    }
  }
  expect(new Set(statuses.keys())).toEqual(new Set([201, 429]));
  expect(statuses.get(201)).toBeLessThanOrEqual(300);
  const { total } = jsonBody(await service.manage("GET", "/api/v2/clients?external_metadata_type=dcr&include_totals=true"));
  expect(total).toBeLessThanOrEqual(301);
});

describe("sweep", () => {
  test("deletes clients that were unused for a day, and no others", async () => {
    const service = await openToAll();
    const accepted = await registered(service);
    await codeForTools(service.browser(), accepted, service.ada);
    const byToken = await registered(service, publicClient, await initialAccessToken(service));
    const old = [await registered(service), await registered(service)];
    service.clock.advance("23h");
    const newer = await registered(service);
    expect(await service.postern.jobs.sweep()).toMatchObject({ finished: true });
    expect(await idsOf(service)).toHaveLength(5);
    service.clock.advance("61m");
    expect(await service.postern.jobs.sweep()).toMatchObject({ finished: true });
    expect(new Set(await idsOf(service))).toEqual(new Set([accepted, byToken, newer].map(({ clientId }) => clientId)));
    const value = { in: old.map(({ clientId }) => clientId) };
    expect(await service.data.collections.directory.find({ where: { kind: "client", value }, limit: 9 })).toEqual([]);
    await codeForTools(service.browser(), accepted, service.ada);
  });

  test("deletes unused clients within its budget, and reports that more are left", async () => {
    const service = await openToAll();
    for (let i = 0; i < 5; i++) await registered(service);
    service.clock.advance("25h");
    expect(await service.postern.jobs.sweep({ budget: 2 })).toMatchObject({ finished: false });
    expect((await idsOf(service)).length).toBeLessThan(5);
    while (!(await service.postern.jobs.sweep({ budget: 2 })).finished);
    expect(await idsOf(service)).toEqual([]);
  });
});
