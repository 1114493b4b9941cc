import { createMemoryAdapter } from "@postern/memory";
import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  successParameters,
  login,
  obtainTokens,
  openService,
  errorParameters,
  tokens,
  codeGrant,
  type App,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";
import { clientSecret, managementAudience, type ApiResponse } from "../support/postern.ts";

/**
 * A token that is sent as data (a hint, a proof, a subject) is valid only for its type, its issuer, its tenant and its
 * client.
 */

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

let service: LoginService;
let app: App;
let stranger: App;

beforeAll(async () => {
  service = await openService();
  const settings = { secret: true, grant_types: ["authorization_code", "refresh_token", exchangeGrant] };
  app = await service.register(settings);
  stranger = await service.register({ ...settings, is_first_party: false });
});

const form = (path: string, body: { readonly [name: string]: string }): Promise<ApiResponse> =>
  service.call("POST", path, {
    body: new URLSearchParams({ client_id: app.clientId, client_secret: clientSecret, ...body }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const introspect = (token: string): Promise<ApiResponse> => form("/oauth/introspect", { token });
const exchange = (token: string): Promise<ApiResponse> =>
  form("/oauth/token", { grant_type: exchangeGrant, subject_token: token, subject_token_type: accessTokenType });

test("an account is linked with an ID token of the requesting client, and of no other", async () => {
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:current_user_identities" }];
  const ada = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  await service.manage("POST", `${ada}/permissions`, { permissions });
  const { access } = await obtainTokens(service, app, service.ada, {
    audience: managementAudience,
    scope: "openid update:current_user_identities",
  });
  const link = (token: string): Promise<ApiResponse> =>
    service.call("POST", `${ada}/identities`, { token: access, body: { link_with: token } });

  // Bob signed in to an app of another developer, so that developer has this token.
  const elsewhere = await obtainTokens(service, stranger, service.bob);
  expectError(await link(elsewhere.id), 400, "invalid_request", "link_with");
  const here = await obtainTokens(service, app, service.bob);
  expectError(await link(here.access), 400, "invalid_request", "link_with");
  // An ID token proves nothing after its session ended. Here, a new password ended the session. The deletion of the
  // user has the same effect.
  const bob = `/api/v2/users/${encodeURIComponent(service.bob.userId)}`;
  expect(await service.manage("PATCH", bob, { password: service.bob.password })).toMatchObject({ status: 200 });
  expectError(await link(here.id), 400, "invalid_request", "link_with");
  expect(await link((await obtainTokens(service, app, service.bob)).id)).toMatchObject({ status: 201 });
});

test("id_token_hint at /authorize must be an ID token of the requesting client", async () => {
  const carol = await service.addUser("carol@example.test");
  const browser = service.browser();
  const own = await obtainTokens(service, app, carol, {}, browser);
  const other = await obtainTokens(service, stranger, carol);
  expect(successParameters(await sendAuthorization(browser, app, { prompt: "none", id_token_hint: own.id }))).toHaveProperty("code");
  for (const hint of [other.id, own.access])
    expect(errorParameters(await sendAuthorization(browser, app, { prompt: "none", id_token_hint: hint }))).toMatchObject({
      error: "invalid_request",
    });
});

test("an ID token is rejected as an access token", async () => {
  const { id, access } = await obtainTokens(service, app, await service.addUser("dan@example.test"));
  expect(jsonBody(await introspect(access))).toMatchObject({ active: true });
  expect(jsonBody(await introspect(id))).toEqual({ active: false });
  expectError(await exchange(id), 400, "invalid_request", "subject_token");
  expectError(await service.userinfo(id), 401, "invalid_token");
  expectError(await service.call("GET", "/api/v2/users", { token: id }), 401, "invalid_token");
});

test("a token whose issuer is a host that was removed from the tenant is rejected", async () => {
  await service.postern.seed({ tenantId: "main", domains: ["login.main.example"] });
  service.clock.advance("6s");
  const erin = await service.addUser("erin@example.test");
  const { code = "" } = await login(service.browser(), app, erin);
  const response = await service.postern.fetch(
    new Request("https://login.main.example/oauth/token", { method: "POST", body: new URLSearchParams(codeGrant(app, code)) }),
  );
  const { access }: ObtainedTokens = tokens({ status: response.status, headers: response.headers, body: await response.json() });
  expect(jsonBody(await introspect(access))).toMatchObject({ active: true, iss: "https://login.main.example/" });
  const [domain] = (await service.manage("GET", "/api/v2/custom-domains")).body as readonly { readonly custom_domain_id: string }[];
  await service.manage("DELETE", `/api/v2/custom-domains/${domain?.custom_domain_id}`);
  expect(jsonBody(await introspect(access))).toEqual({ active: false });
  expectError(await exchange(access), 400, "invalid_request", "subject_token");
});

test("a store failure while a hint is validated is a server error, not an invalid hint", async () => {
  const data = createMemoryAdapter({ strict: true });
  let fails = false;
  const { custom_domains: domains } = data.collections;
  const find: typeof domains.find = (query) => (fails ? Promise.reject(new Error("lost")) : domains.find(query));
  const own = await openService({ data: { ...data, collections: { ...data.collections, custom_domains: { ...domains, find } } } });
  await own.postern.seed({ tenantId: "main", domains: ["login.main.example"] });
  own.clock.advance("6s");
  const browser = own.browser();
  const { code = "" } = await login(browser, own.web, own.ada);
  const response = await own.postern.fetch(
    new Request("https://login.main.example/oauth/token", { method: "POST", body: new URLSearchParams(codeGrant(own.web, code)) }),
  );
  const { id } = tokens({ status: response.status, headers: response.headers, body: await response.json() });
  const requested = { prompt: "none", id_token_hint: id };
  expect(successParameters(await sendAuthorization(browser, own.web, requested))).toHaveProperty("code");
  own.clock.advance("6s");
  fails = true;
  expect(errorParameters(await sendAuthorization(browser, own.web, requested))).toMatchObject({ error: "server_error" });
  expect(own.faults).toHaveLength(1);
});
