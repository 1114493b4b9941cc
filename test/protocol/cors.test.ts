import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/postern.ts";
import { codeGrant, login, obtain, offline, openService, refreshGrant, unseen, type App, type LoginService } from "../support/flow.ts";

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

const allowed = ({ headers }: Answer): string | null => headers.get("access-control-allow-origin");
const token = (origin: string, body: { readonly [name: string]: string }): Promise<Answer> => service.exchange(body, { origin });

describe("what a script may read (by its origin)", () => {
  test("a preflight is answered for anybody, without credentials, with the headers that SDKs send", async () => {
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
      const answer = await service.call("OPTIONS", path, { headers });
      expect([answer.status, allowed(answer)]).toEqual([204, "https://anywhere.example"]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      for (const name of ["auth0-client", "content-type", "authorization", "dpop"]) {
        expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name);
      }
    }
  });

  test.each(own)("%s reads its tokens, and why it gets none", async (origin) => {
    const { code = "" } = await login(service.browser(), app, service.ada, offline);
    for (const answer of [await token(origin, codeGrant(app, code)), await token(origin, refreshGrant(app, unseen()))]) {
      expect([answer.status === 200 || answer.status === 400, allowed(answer)]).toEqual([true, origin]);
      expect(answer.headers.get("vary")).toContain("Origin");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("access-control-expose-headers")).toMatch(/Retry-After.*WWW-Authenticate/);
    }
    const { access } = await obtain(service, app, service.ada);
    expect(allowed(await service.call("GET", "/userinfo", { token: access, headers: { origin } }))).toBe(origin);
    const revoked = await service.call("POST", "/oauth/revoke", { headers: { origin }, body: { client_id: app.clientId, token: "x" } });
    expect([revoked.status, allowed(revoked)]).toEqual([200, origin]);
  });

  test.each(foreign)("%s reads nothing of it", async (origin) => {
    const { code = "" } = await login(service.browser(), app, service.ada, offline);
    expect(allowed(await token(origin, codeGrant(app, code)))).toBeNull();
    expect(allowed(await token(origin, refreshGrant(app, unseen())))).toBeNull();
    const { access } = await obtain(service, app, service.ada);
    expect(allowed(await service.call("GET", "/userinfo", { token: access, headers: { origin } }))).toBeNull();
  });

  test("pages, and what cookies reach, are for no script of another origin", async () => {
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
