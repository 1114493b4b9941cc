import { expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { stringMember } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { openInheritance, sharedClientId } from "../support/inheritance.ts";
import { clientSecret } from "../support/postern.ts";

/**
 * Tests the cost of inheritance: several database statements if the inherited settings are not cached, and none during
 * the five seconds for which they are cached.
 */

const audience = "https://api.example.test";

async function open(clientId = sharedClientId): Promise<{
  readonly cost: (request: () => Promise<unknown>) => Promise<readonly [number, number]>;
  readonly token: () => Promise<unknown>;
  readonly login: () => Promise<unknown>;
}> {
  const data = countingAdapter(createMemoryAdapter({ strict: true }));
  const { service, main, other } = await openInheritance({ data, resolveControlPlane: async () => ({ tenantId: "main", clientId }) });
  await main.create("/api/v2/resource-servers", { identifier: audience, scopes: [{ value: "read" }] });
  await other.create("/api/v2/client-grants", { client_id: "other-manager", audience, scope: ["read"] });
  const app = stringMember(await other.create("/api/v2/clients", { name: "App", app_type: "spa" }), "client_id");
  const query = new URLSearchParams({
    client_id: app,
    redirect_uri: "https://shared.example.test/callback",
    response_type: "code",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  return {
    cost: async (request) => {
      service.clock.advance("6s");
      const cold = await data.costOf(request);
      const warm = await data.costOf(request);
      return [cold.statements.length, warm.statements.length];
    },
    token: async () => {
      const body = { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience };
      expect(await service.call("POST", "/oauth/token", { body })).toMatchObject({ status: 200 });
    },
    login: async () => expect(await service.call("GET", `/authorize?${query}`)).toMatchObject({ status: 303 }),
  };
}

test("a token request for an inherited API costs one database statement once the inherited settings are cached", async () => {
  const { cost, token } = await open();
  const [cold, warm] = await cost(token);
  expect(warm).toBe(1);
  expect(cold).toBeLessThanOrEqual(12);
});

test("an authorization request with an inherited redirect URI costs one database statement once the settings are cached", async () => {
  const { cost, login } = await open();
  const [cold, warm] = await cost(login);
  expect(warm).toBe(1);
  expect(cold).toBeLessThanOrEqual(8);
});

test("caches that the fallback client of the control plane does not exist", async () => {
  const { cost, token } = await open("gone");
  const [, warm] = await cost(token);
  expect(warm).toBe(1);
});
