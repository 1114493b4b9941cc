import { beforeAll, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  authorizeParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

/**
 * HEAD is safe (RFC 9110 section 9.2.1), and mail scanners and link checkers send it. It skips the side effects of GET.
 */
let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const head = async (path: string, cookies: ReadonlyMap<string, string>): Promise<Response> =>
  service.postern.fetch(
    new Request(new URL(path.slice(1), service.postern.issuer), {
      method: "HEAD",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    }),
  );
const rows = async (): Promise<{ readonly [collection: string]: unknown }> => {
  const { login_sessions: loginSessions, authorization_codes: codes, sessions } = service.data.collections;
  return {
    loginSessions: await loginSessions.find({ where: { tenant_id: "main" }, limit: 1000 }),
    codes: await codes.find({ where: { tenant_id: "main" }, limit: 1000 }),
    sessions: await sessions.find({ where: { tenant_id: "main" }, limit: 1000 }),
  };
};

test("HEAD creates no login session, binds none to a browser, issues no code and signs no user out", async () => {
  const browser = service.browser();
  const { id, refresh } = await obtainTokens(service, service.web, service.ada, offline, browser);
  const state = loginState(await sendAuthorization(service.browser(), service.web));
  const acme = await organizationsBy(service.manage).create("acme");
  const invitation = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, {
    inviter: { name: "Ann" },
    invitee: { email: "new@example.test" },
    client_id: service.web.clientId,
  });
  const before = await rows();
  for (const path of [
    `/authorize?${new URLSearchParams(authorizeParameters(service.web))}`,
    `/u/login?${new URLSearchParams({ state })}`,
    `/u/flow?${new URLSearchParams({ state })}`,
    `/u/invitation?${new URLSearchParams({ invitation: stringMember(invitation, "ticket_id"), client_id: service.web.clientId })}`,
    `/v2/logout?${new URLSearchParams({ client_id: service.web.clientId })}`,
    `/oidc/logout?${new URLSearchParams({ id_token_hint: id })}`,
  ]) {
    for (const cookies of [browser.cookies, new Map<string, string>()]) {
      const response = await head(path, cookies);
      expect([response.status, await response.text(), response.headers.getSetCookie()], path).toEqual([200, "", []]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  }
  expect(await rows()).toEqual(before);
  tokens(await service.exchange(refreshGrant(service.web, refresh)));
  await login(browser, service.web, service.ada, { prompt: "none" });
});

test("HEAD of a page is rejected if its URL or its parameters are invalid", async () => {
  expect((await head("/u/flow", new Map())).status).toBe(400);
  expect((await head(`/u/login?state=${"x".repeat(201)}`, new Map())).status).toBe(400);
  expect((await head("/u/nothing", new Map())).status).toBe(404);
});
