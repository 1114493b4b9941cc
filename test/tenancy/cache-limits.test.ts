import { createMemoryAdapter } from "@postern/memory";
import { createManualClock } from "@postern/core/testing";
import { expect, test } from "vitest";
import { expectError, list, managerOf, stringMember } from "../support/api.ts";
import { createTestPostern, managementAudience, clientSecret, type ApiResponse, type TestPostern } from "../support/postern.ts";

const start = Date.UTC(2026, 0, 1);
const tokenOf = (service: TestPostern): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", {
    body: { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: managementAudience },
  });

test("a client grant that another process deleted has no effect after five seconds, even if the clock is set back", async () => {
  const data = createMemoryAdapter({ strict: true });
  const service = await createTestPostern({ data, testing: { clock: createManualClock(start) } });
  const second = await createTestPostern({ data, testing: { clock: createManualClock(start) } });
  expect((await tokenOf(service)).status).toBe(200);
  const manage = await managerOf(second, "other");
  const [grant = {}] = list(await manage("GET", "/api/v2/client-grants?client_id=other-manager"));
  expect((await manage("DELETE", `/api/v2/client-grants/${stringMember(grant, "id")}`)).status).toBe(204);

  service.clock.set(start - 3_600_000);
  expect((await tokenOf(service)).status).toBe(200);
  service.clock.advance("5s");
  expect((await tokenOf(service)).status).toBe(400);
});

test("a token that is longer than 16 kB is rejected wherever it is presented", async () => {
  const service = await createTestPostern();
  const [head, , signature] = (await service.token()).split(".");
  const long = `${head}.${Buffer.from(JSON.stringify({ tenant_id: "main", filler: "x".repeat(20_000) })).toString("base64url")}.${signature}`;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const response of [
    await service.call("GET", "/userinfo", { token: long }),
    await service.call("POST", "/userinfo", { headers: form, body: `access_token=${long}` }),
    await service.call("GET", "/api/v2/clients", { token: long }),
  ]) {
    expectError(response, 401, "invalid_token", "longer than 16384 characters");
    expect(response.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  }
});

test("a settings cache that is too small for any entry disables caching and causes no errors", async () => {
  const service = await createTestPostern({ limits: { settingsCacheBytes: 1 } });
  expect((await tokenOf(service)).status).toBe(200);
  await expect(createTestPostern({ limits: { settingsCacheBytes: -1 } })).rejects.toMatchObject({ code: "configuration_error" });
});
