import { beforeAll, expect, test } from "vitest";
import { expectError, managerOf, stringMember } from "../support/api.ts";
import { claimsOf, obtainTokens, offline, openService, type LoginService } from "../support/flow.ts";

let service: LoginService;
let path: string;
let sessionId: string;

beforeAll(async () => {
  service = await openService();
  const { id } = await obtainTokens(service, service.web, service.ada, offline);
  sessionId = String(claimsOf(id)["sid"]);
  path = `/api/v2/sessions/${sessionId}/clients/${service.web.clientId}`;
});

test("responds with the connection of a session that is valid at the client", async () => {
  expect(await service.manage("GET", path)).toMatchObject({
    status: 200,
    body: {
      session_id: sessionId,
      client_id: service.web.clientId,
      user_id: service.ada.userId,
      connection: "Username-Password-Authentication",
    },
  });
});

test("responds with 404 for an unknown session or client, and for those of another tenant", async () => {
  const other = await managerOf(service, "other");
  for (const answer of [
    await other("GET", path),
    await service.manage("GET", `/api/v2/sessions/sess_unknown/clients/${service.web.clientId}`),
    await service.manage("GET", `/api/v2/sessions/${sessionId}/clients/unknown`),
  ])
    expectError(answer, 404, "not_found");
});

test("checks an organization membership only with the scope read:organization_members", async () => {
  const organization = await service.manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme" });
  const id = stringMember(organization, "id");
  const api = (scopes: readonly ("read:sessions" | "read:organization_members")[]) =>
    service.postern.tenant("main", { name: "test", scopes });
  const [narrow, both] = [api(["read:sessions"]), api(["read:sessions", "read:organization_members"])];
  const getFromOrganization = (caller: typeof both) =>
    caller.sessions.clients.get(sessionId, service.web.clientId, { organization_id: id });
  await expect(getFromOrganization(narrow)).rejects.toMatchObject({ code: "insufficient_scope" });
  await expect(getFromOrganization(both)).rejects.toMatchObject({ code: "not_found" });
  await service.manage("POST", `/api/v2/organizations/${id}/members`, { members: [service.ada.userId] });
  expect(await getFromOrganization(both)).toMatchObject({ user_id: service.ada.userId });
});

test("treats an expired session as valid while the client holds a refresh token that belongs to it", async () => {
  const withoutRefreshToken = await obtainTokens(service, service.spa, service.ada, { scope: "openid" });
  const pathWithout = `/api/v2/sessions/${String(claimsOf(withoutRefreshToken.id)["sid"])}/clients/${service.spa.clientId}`;
  service.clock.advance(4 * 86_400_000);
  const manage = await managerOf(service);
  expect((await manage("GET", path)).status).toBe(200);
  expect((await manage("GET", pathWithout)).status).toBe(404);
  const tokens = await service.postern.tenant("main").users.refreshTokens.list(service.ada.userId, { take: 10 });
  for (const { id } of tokens.tokens) await service.postern.tenant("main").refreshTokens.delete(id);
  expect((await manage("GET", path)).status).toBe(404);
});
