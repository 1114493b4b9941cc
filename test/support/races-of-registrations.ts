import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { jsonBody, list } from "./api.ts";
import { getFlow, loginState, screenName, sendAuthorization, submitStep, type LoginService } from "./flow.ts";
import {
  initialAccessToken,
  openServiceForStrangers,
  publicClient,
  register,
  registered,
  setOpenRegistration,
  tools,
} from "./registration.ts";

/** Adds the tests for parallel registrations of clients, for any store. */
export function testRegistrationRaces(open: () => Promise<DataAdapter>): void {
  let service: LoginService;

  beforeAll(async () => {
    const limits = { registrationsPerAddress: 1000, unusedClients: 4 };
    service = await openServiceForStrangers({ data: await open(), limits });
    await setOpenRegistration(service, true);
  });

  const idsOf = async (): Promise<readonly unknown[]> =>
    list(await service.manage("GET", "/api/v2/clients?external_metadata_type=dcr&per_page=100")).map(({ client_id: id }) => id);

  test("registers as many clients as an initial access token allows for thirty-two parallel requests", async () => {
    for (const uses of [1, 3]) {
      const before = (await idsOf()).length;
      const token = await initialAccessToken(service, { uses });
      const responses = await Promise.all(Array.from({ length: 32 }, () => register(service, publicClient, token)));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(uses);
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(32 - uses);
      expect((await idsOf()).length).toBe(before + uses);
    }
  });

  test("either keeps a client with its consent or deletes it without one, if a user accepts it while others register", async () => {
    for (let round = 0; round < 12; round++) {
      const accepted = await registered(service);
      const browser = service.browser();
      const parameters = { scope: "openid read:tools", resource: tools };
      const state = loginState(await sendAuthorization(browser, accepted, parameters));
      await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
      expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("consent");
      service.clock.advance("11m");
      // Every unused client is old enough to be deleted now.
      const others = async () => Promise.all(Array.from({ length: 5 }, () => register(service)));
      const { csrf } = await getFlow(browser, state);
      const accept = () => browser.post("/u/flow", { json: { state, csrf, action: "accept" } });
      await Promise.all(round % 2 === 0 ? [accept(), others()] : [others(), accept()]);

      const found = await service.manage("GET", `/api/v2/clients/${accepted.clientId}`);
      const consents = list(await service.manage("GET", `/api/v2/grants?client_id=${accepted.clientId}`));
      expect([found.status, consents.length]).toEqual(found.status === 200 ? [200, 1] : [404, 0]);
      const row = { tenant_id: "main", client_id: accepted.clientId };
      expect(await service.data.collections.clients.find({ where: { ...row, unused_since: { exists: true } }, limit: 1 })).toEqual([]);
      service.clock.advance("11m");
    }
  });

  test("applies parallel replacements of one registration one after another, each as a whole", async () => {
    const client = await registered(service, publicClient, await initialAccessToken(service));
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        service.call("PUT", client.path, {
          token: client.token,
          body: {
            ...publicClient,
            client_id: client.clientId,
            redirect_uris: [`https://app-${i}.example.test/cb`],
            client_name: `Name ${i}`,
          },
        }),
      ),
    );
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { client_name: name, redirect_uris: uris } = jsonBody(await service.call("GET", client.path, { token: client.token }));
    expect(uris).toEqual([`https://app-${String(name).slice("Name ".length)}.example.test/cb`]);
  });
}
