import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/api.ts";
import {
  claimsOf,
  codeGrant,
  errorParameters,
  login,
  offline,
  openService,
  refreshGrant,
  sendAuthorization,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";

// Resource indicators (RFC 8707).

const exchangeType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const shop = "https://shop.example.test/";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const exchangeOf = (subject: string): { readonly [name: string]: string } => ({
  grant_type: exchangeType,
  subject_token: subject,
  subject_token_type: accessTokenType,
});

// Clients that build `resource` with the URL standard always add a slash to an origin.
describe.each([
  ["with", "https://tools.example.test/", "https://tools.example.test"],
  ["without", "https://resources.example.test", "https://resources.example.test/"],
])("an API whose identifier is an origin %s a final slash", (_, identifier, otherSpelling) => {
  let app: App;

  beforeAll(async () => {
    await service.manage.create("/api/v2/resource-servers", {
      name: "Tools",
      identifier,
      scopes: [{ value: "use" }],
      allow_offline_access: true,
    });
    app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", exchangeType, "password"] });
  });

  test.each([identifier, otherSpelling])("is the resource %s at each request, and keeps its identifier in tokens", async (resource) => {
    const asked = { resource, scope: "use offline_access" };
    const code = (await login(service.browser(), app, service.ada, asked))["code"] ?? "";
    const first = tokens(await service.exchange(codeGrant(app, code, { resource })));
    expect(claimsOf(first.access).aud).toBe(identifier);
    const next = tokens(await service.exchange(refreshGrant(app, first.refresh, { resource })));
    expect(claimsOf(next.access).aud).toBe(identifier);
    const client = { client_id: app.clientId, client_secret: clientSecret };
    const exchanged = await service.exchange({ ...exchangeOf(next.access), ...client, resource });
    expect(claimsOf(tokens(exchanged).access).aud).toBe(identifier);
    const { email, password } = service.ada;
    const byPassword = await service.exchange({
      grant_type: "password",
      ...client,
      username: email,
      password,
      ...asked,
      audience: identifier,
    });
    expect(claimsOf(tokens(byPassword).access).aud).toBe(identifier);
  });

  test("is not a resource with a path, a query or another scheme", async () => {
    const { origin } = new URL(identifier);
    for (const resource of [`${origin}/tools`, `${origin}/?a=1`, `${origin}//`, identifier.replace("https", "http")]) {
      const refused = await sendAuthorization(service.browser(), app, { resource, scope: "use" });
      expect(errorParameters(refused)["error"], resource).toBe("invalid_target");
    }
  });
});

test("several resources are an invalid_target at each endpoint", async () => {
  const app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token"] });
  const client = { client_id: app.clientId, client_secret: clientSecret };
  const code = (await login(service.browser(), app, service.ada, offline))["code"] ?? "";
  const twice = (path: string, parameters: { readonly [name: string]: string }): Promise<ApiResponse> =>
    service.call("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `${new URLSearchParams({ ...client, ...parameters })}&resource=${shop}&resource=${shop}`,
    });
  expectError(
    await twice("/oauth/token", { grant_type: "authorization_code", code, redirect_uri: app.redirectUri }),
    400,
    "invalid_target",
  );
  const url = `/authorize?${new URLSearchParams({ client_id: app.clientId, response_type: "code", redirect_uri: app.redirectUri })}`;
  const redirect = await service.browser().get(`${url}&resource=${shop}&resource=${shop}`);
  expect(new URL(redirect.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_target");
});
