import { beforeAll, describe, expect, test } from "vitest";
import type { ApiResponse } from "../support/postern.ts";
import {
  codeGrant,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  randomString,
  type App,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
let app: App;
beforeAll(async () => {
  service = await openService();
  app = await service.register({
    callbacks: ["https://app.example.test/callback", "com.example.app:/callback"],
    web_origins: ["https://web.example.test"],
    allowed_origins: ["https://*.apps.example.test", "http://localhost:3000"],
  });
});

const own = ["https://app.example.test", "https://web.example.test", "https://team.apps.example.test", "http://localhost:3000"];
const foreign = [
  "https://evil.test",
  "http://app.example.test",
  "https://app.example.test:8443",
  "https://sub.app.example.test",
  "https://a.b.apps.example.test",
  "https://apps.example.test",
  "https://evilapps.example.test",
  "http://localhost:3001",
  "null",
];

const allowed = ({ headers }: ApiResponse): string | null => headers.get("access-control-allow-origin");
const token = (origin: string, body: { readonly [name: string]: string }): Promise<ApiResponse> => service.exchange(body, { origin });

describe("cross-origin requests (by origin)", () => {
  test("allows preflight requests from any origin, without credentials, with the headers that SDKs send", async () => {
    for (const [path, method] of [
      ["/oauth/token", "POST"],
      ["/oauth/revoke", "POST"],
      ["/userinfo", "GET"],
      ["/.well-known/openid-configuration", "GET"],
      ["/.well-known/jwks.json", "GET"],
    ] as const) {
      const headers = {
        origin: "https://anywhere.example",
        "access-control-request-method": method,
        "access-control-request-headers": "auth0-client,content-type,authorization,dpop",
      };
      const response = await service.call("OPTIONS", path, { headers });
      expect([response.status, allowed(response)]).toEqual([204, "https://anywhere.example"]);
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      for (const name of ["auth0-client", "content-type", "authorization", "dpop"]) {
        expect(response.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name);
      }
    }
  });

  test.each(own)("allows %s to read its tokens and the errors of the token endpoint", async (origin) => {
    const { code = "" } = await login(service.browser(), app, service.ada, offline);
    for (const response of [await token(origin, codeGrant(app, code)), await token(origin, refreshGrant(app, randomString()))]) {
      expect([response.status === 200 || response.status === 400, allowed(response)]).toEqual([true, origin]);
      expect(response.headers.get("vary")).toContain("Origin");
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect(response.headers.get("access-control-expose-headers")).toMatch(/Retry-After.*WWW-Authenticate/);
    }
    const { access } = await obtainTokens(service, app, service.ada);
    expect(allowed(await service.call("GET", "/userinfo", { token: access, headers: { origin } }))).toBe(origin);
    const revoked = await service.call("POST", "/oauth/revoke", { headers: { origin }, body: { client_id: app.clientId, token: "x" } });
    expect([revoked.status, allowed(revoked)]).toEqual([200, origin]);
  });

  test.each(foreign)("does not allow %s to read the token endpoint", async (origin) => {
    const { code = "" } = await login(service.browser(), app, service.ada, offline);
    expect(allowed(await token(origin, codeGrant(app, code)))).toBeNull();
    expect(allowed(await token(origin, refreshGrant(app, randomString())))).toBeNull();
    const { access } = await obtainTokens(service, app, service.ada);
    expect(allowed(await service.call("GET", "/userinfo", { token: access, headers: { origin } }))).toBeNull();
  });

  test("allows only the origins of the requested client at a public endpoint, for success and for errors", async () => {
    const signUp = (origin: string, body: object): Promise<ApiResponse> =>
      service.call("POST", "/dbconnections/signup", { headers: { origin }, body: { client_id: app.clientId, ...body } });
    const good = (): object => ({ email: `${randomString()}@example.test`, password: "Correct-horse-7" });
    const sent = { taken: { ...good(), email: service.ada.email }, malformed: { email: 7 }, closed: { ...good(), connection: "never" } };
    for (const origin of own) {
      for (const [body, status] of [
        [good(), 200],
        [sent.taken, 400],
        [sent.malformed, 400],
        [sent.closed, 400],
      ] as const) {
        const response = await signUp(origin, body);
        expect([response.status, allowed(response)]).toEqual([status, origin]);
        expect(response.headers.get("vary")).toContain("Origin");
        expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      }
      expect(allowed(await service.call("POST", "/dbconnections/signup", { headers: { origin }, body: good() }))).toBeNull();
      expect(allowed(await signUp(origin, { ...good(), client_id: service.web.clientId }))).toBe(origin === own[0] ? origin : null);
      expect(allowed(await signUp(origin, { ...good(), client_id: "never" }))).toBeNull();
    }
    for (const origin of foreign) {
      for (const body of [good(), sent.taken, sent.malformed]) expect(allowed(await signUp(origin, body))).toBeNull();
    }
    const preflight = { origin: "https://anywhere.example", "access-control-request-method": "POST" };
    const reply = await service.call("OPTIONS", "/dbconnections/signup", { headers: preflight });
    expect([reply.status, allowed(reply), reply.headers.get("access-control-allow-credentials")]).toEqual([204, preflight.origin, null]);
  });

  test.each(own)("allows %s to read that its client failed to authenticate", async (origin) => {
    const response = await token(origin, { grant_type: "client_credentials", client_id: app.clientId, client_secret: "wrong" });
    expect([response.status, allowed(response)]).toEqual([401, origin]);
  });

  test("never allows other origins to read pages and endpoints that use cookies", async () => {
    for (const origin of own) {
      for (const path of [
        `/authorize?client_id=${app.clientId}`,
        "/u/login?state=main.x",
        "/u/flow?state=main.x",
        "/v2/logout",
        "/oidc/logout",
      ]) {
        expect(allowed(await service.call("GET", path, { headers: { origin } }))).toBeNull();
        const preflight = { origin, "access-control-request-method": "POST" };
        expect(allowed(await service.call("OPTIONS", path, { headers: preflight }))).toBeNull();
      }
    }
  });
});

describe("registered origins in another spelling", () => {
  const registered = {
    web_origins: ["https://SPA.Example.test:443"],
    allowed_origins: ["http://münchen.example:80", "https://*.Müller.example"],
  };
  const sent = ["https://spa.example.test", "http://xn--mnchen-3ya.example", "https://team.xn--mller-kva.example"];

  test("are stored as browsers send them, and allowed", async () => {
    const { clientId } = await service.register(registered);
    expect(await service.manage("GET", `/api/v2/clients/${clientId}`)).toMatchObject({
      body: { web_origins: [sent[0]], allowed_origins: [sent[1], "https://*.xn--mller-kva.example"] },
    });
    for (const origin of sent)
      expect(allowed(await token(origin, { grant_type: "client_credentials", client_id: clientId, client_secret: "wrong" }))).toBe(origin);
  });

  test("that an earlier version stored unchanged are allowed", async () => {
    const { clientId } = await service.register({});
    await service.data.collections.clients.update({ tenant_id: "main", client_id: clientId }, { set: registered });
    for (const origin of sent)
      expect(allowed(await token(origin, { grant_type: "client_credentials", client_id: clientId, client_secret: "wrong" }))).toBe(origin);
  });

  test.each(["https://spa.example.test/", "https://SPA.example.test/x", "null"])("may not be %s", async (origin) => {
    for (const name of ["web_origins", "allowed_origins"])
      expect(await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { [name]: [origin] })).toMatchObject({ status: 400 });
  });
});
