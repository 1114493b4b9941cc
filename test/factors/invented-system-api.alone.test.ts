import { beforeEach, expect, test, vi } from "vitest";
import { changeDemand } from "../../packages/core/src/identity/factors/factor-policy.ts";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { claimsOf } from "../support/flow.ts";
import { openMfaService, type MfaService } from "./mfa-api-support.ts";
import { enrollApp, screenOf, setPolicies, signInToFactor } from "./support.ts";

// The only new entry in the table.
vi.mock(import("../../packages/core/src/tenants/system-apis.ts"), async (load) => {
  const real = await load();
  const invented = {
    identifier: "you/",
    storedIdentifier: "you/",
    name: "Your Account API",
    hasRow: false,
    settings: {
      allow_offline_access: false,
      token_lifetime: 300,
      scopes: [{ value: "read:your:things", description: "Read your things" }],
    },
    demands: [changeDemand],
    reserved: "this identifier belongs to the Your Account API",
  };
  return { ...real, systemApis: [...real.systemApis, invented] };
});

const audience = "https://id.example.test/you/";
const scope = "openid read:your:things read:others";

let service: MfaService;

beforeEach(async () => {
  service = await openMfaService();
});

test("a row of the table of system APIs is enough to get tokens for the API", async () => {
  await setPolicies(service, []);
  const reply = jsonBody(await service.password(undefined, { audience, scope: `${scope} offline_access` }), 200);
  expect(reply).toMatchObject({ expires_in: 300 });
  expect(reply).not.toHaveProperty("refresh_token");
  const token = stringMember(reply, "access_token");
  expect(claimsOf(token)).toMatchObject({ aud: [audience, "https://id.example.test/userinfo"], scope: "openid read:your:things" });
  expect((await service.call("GET", "/mfa/authenticators", { token })).status).toBe(401);
});

test("a request for its tokens requires the factors that its row demands", async () => {
  await enrollApp(service, service.browser());
  await setPolicies(service, []);
  const { reply } = await signInToFactor(service, service.browser(), { audience, scope });
  const { factor, others } = screenOf(reply);
  expect([factor, others]).toEqual(["totp", ["recovery-code"]]);
  expect(jsonBody(await service.password(undefined, { audience, scope }), 403)).toMatchObject({ error: "mfa_required" });
});

test("a tenant cannot create an API with its identifier", async () => {
  for (const identifier of [audience, "you/"]) {
    const reply = await service.manage("POST", "/api/v2/resource-servers", { name: "Mine", identifier });
    expectError(reply, 409, "conflict", "this identifier belongs to the Your Account API");
  }
  expect((await service.manage("POST", "/api/v2/resource-servers", { name: "Mine", identifier: "https://other.test/you/" })).status).toBe(
    201,
  );
});
