import { beforeAll, expect, test } from "vitest";
import {
  sendAuthorization,
  authorizeParameters,
  successParameters,
  login,
  openService,
  errorParameters,
  type LoginService,
} from "../support/flow.ts";

const silently = { response_mode: "web_message", prompt: "none" };

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

test("a web_message is sent to an origin that matches a wildcard of the client, and to no other", async () => {
  const app = await service.register({ callbacks: ["https://*.apps.example.test/callback"], web_origins: ["https://*.apps.example.test"] });
  const team = { ...app, redirectUri: "https://team.apps.example.test/callback" };
  const browser = service.browser();
  await login(browser, team, service.ada);
  const result = await sendAuthorization(browser, team, silently);
  successParameters(result);
  expect(result).toMatchObject({ mode: "web_message", to: "https://team.apps.example.test" });
  const page = await browser.get(`/authorize?${new URLSearchParams(authorizeParameters(team, silently))}`);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors https://team.apps.example.test;");
});

test("a web_message is sent only to the registered port of a loopback address, and to no scheme without an origin", async () => {
  const app = await service.register({ app_type: "native", callbacks: ["http://127.0.0.1:8400/callback", "com.example.app:/callback"] });
  const browser = service.browser();
  await login(browser, app, service.ada);
  successParameters(await sendAuthorization(browser, app, silently));
  for (const redirect_uri of ["http://127.0.0.1:8401/callback", "com.example.app:/callback"]) {
    const result = await sendAuthorization(browser, app, { ...silently, redirect_uri });
    expect(errorParameters(result)["error"]).toBe("invalid_request");
    expect(result).toMatchObject({ mode: "query", to: redirect_uri });
  }
});

test.each(["code", "token", "id_token token"])("sends tokens and codes in a web_message for response_type %j", async (response_type) => {
  const browser = service.browser();
  await login(browser, service.spa, service.ada);
  const requested = {
    ...silently,
    response_type,
    ...(response_type !== "code" && { code_challenge: undefined, code_challenge_method: undefined }),
  };
  const result = successParameters(await sendAuthorization(browser, service.spa, requested));
  expect(result).toMatchObject({ state: "st-1", iss: service.postern.issuer });
  if (response_type !== "code")
    expect(result).toMatchObject({ access_token: expect.any(String), token_type: "Bearer", expires_in: "86400" });
});
