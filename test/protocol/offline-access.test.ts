import { beforeAll, expect, test } from "vitest";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  offline,
  openService,
  tokens,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const bare = { code_challenge: undefined, code_challenge_method: undefined };

test.each(["token", "id_token token"])("grants no offline access for response_type %j, which returns no code", async (response_type) => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const { access_token: access = "", scope } = successParameters(
    await sendAuthorization(browser, service.web, { response_type, ...offline, ...bare }),
  );
  expect(scope).toBe("openid profile email");
  expect(claimsOf(access)["scope"]).toBe("openid profile email");
});

test.each(["code", "code token", "code id_token token"])(
  "grants offline access for response_type %j through the code",
  async (response_type) => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const result = successParameters(await sendAuthorization(browser, service.web, { response_type, ...offline, ...bare }));
    expect(result).not.toHaveProperty("refresh_token");
    const actual = tokens(await service.exchange(codeGrant(service.web, result["code"] ?? "", { code_verifier: undefined })));
    expect(actual.scope).toBe(offline.scope);
    expect(actual.refresh).toMatch(/^[\x20-\x7e]{22,}$/);
  },
);

test("grants no offline access at an API that does not allow it", async () => {
  const identifier = "https://strict.example.test/";
  const scopes = [{ value: "read:x" }];
  await service.manage.create("/api/v2/resource-servers", { name: "Strict", identifier, scopes, allow_offline_access: false });
  const { code = "" } = await login(service.browser(), service.web, service.ada, {
    scope: "openid offline_access read:x",
    audience: identifier,
  });
  const response = await service.exchange(codeGrant(service.web, code));
  expect(tokens(response).scope).toBe("openid read:x");
  expect(response.body).not.toHaveProperty("refresh_token");
});
