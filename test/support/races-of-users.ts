import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { list, jsonBody, stringMember, type JsonBody, type Manager } from "./api.ts";
import type { Browser } from "./browser.ts";
import {
  sendAuthorization,
  successParameters,
  loginState,
  obtainTokens,
  openService,
  redirectOf,
  submitStep,
  type LoginService,
} from "./flow.ts";
import { organizationsBy, type OrganizationManager } from "./organizations.ts";
import type { ApiResponse } from "./postern.ts";

const connection = "Username-Password-Authentication";
const many = Array.from({ length: 32 }, (_, i) => i);
const at = (userId: string, rest = ""): string => `/api/v2/users/${encodeURIComponent(userId)}${rest}`;

/**
 * Adds the tests for thirty-two parallel requests about users, organizations and keys, for any store. Results are read
 * back through the API.
 */
export function testUserRaces(open: () => Promise<DataAdapter>): void {
  let service: LoginService;
  let manage: Manager;
  let organizations: OrganizationManager;

  beforeAll(async () => {
    service = await openService({ data: await open() });
    ({ manage } = service);
    organizations = organizationsBy(manage);
  });

  const newUser = async (email: string): Promise<string> =>
    stringMember(await manage.create("/api/v2/users", { connection, email, email_verified: true }), "user_id");
  const total = async (path: string): Promise<unknown> => jsonBody(await manage("GET", `${path}?include_totals=true`))["total"];

  test("accepts an invitation once for thirty-two parallel acceptances, and assigns everything once", async () => {
    const app = await service.register({ organization_usage: "allow" });
    const organization = await organizations.create("accepted");
    const role = stringMember(await manage.create("/api/v2/roles", { name: "Accepted" }), "id");
    const invitation = await manage.create(`/api/v2/organizations/${organization}/invitations`, {
      inviter: { name: "Ann" },
      invitee: { email: service.ada.email },
      client_id: app.clientId,
      roles: [role],
      app_metadata: { plan: "gold" },
    });
    const requested = { organization, invitation: stringMember(invitation, "ticket_id") };
    // Signs the users in one after the other, because so many password checks at once would wait for each other.
    const loginSessions: { readonly browser: Browser; readonly state: string }[] = [];
    for (const _ of many) {
      const browser = service.browser();
      await obtainTokens(service, app, service.ada, {}, browser);
      loginSessions.push({ browser, state: loginState(await sendAuthorization(browser, app, requested)) });
    }
    const results = await Promise.all(
      loginSessions.map(({ browser, state }) => submitStep(browser, state, { action: "accept-invitation" })),
    );
    for (const end of results) successParameters(redirectOf(end));
    expect(await organizations.members(organization)).toMatchObject([{ user_id: service.ada.userId }]);
    expect(await total(`/api/v2/organizations/${organization}/members`)).toBe(1);
    expect(await organizations.rolesOf(organization, service.ada)).toEqual([role]);
    expect(jsonBody(await manage("GET", at(service.ada.userId)))).toMatchObject({ app_metadata: { plan: "gold" } });
    expect(list(await manage("GET", "/api/v2/logs?per_page=100&q=type:si"))).toHaveLength(1);
  });

  test("stores each of thirty-two links to one user that got 201, and never links that user to another one", async () => {
    const primary = await newUser("links@example.test");
    const accounts = await Promise.all(many.map((i) => newUser(`link-${i}@example.test`)));
    const responses = await Promise.all([
      ...accounts.map((account) => manage("POST", at(primary, "/identities"), { provider: "auth0", user_id: account })),
      // In parallel, other requests link the primary user itself.
      ...accounts.map((account) => manage("POST", at(account, "/identities"), { provider: "auth0", user_id: primary })),
    ]);
    const linked = accounts.filter((_, i) => responses[i]?.status === 201);
    const linkedTo = accounts.filter((_, i) => responses[many.length + i]?.status === 201);
    expect(responses.every(({ status }) => [201, 400, 404, 409].includes(status))).toBe(true);
    expect(linkedTo.length === 0 || (linkedTo.length === 1 && linked.length === 0)).toBe(true);

    const [owner = primary] = linkedTo;
    const { identities } = jsonBody(await manage("GET", at(owner)));
    const own = (userId: string): string => userId.split("|")[1] ?? "";
    const expected = linkedTo.length === 1 ? [owner, primary] : [primary, ...linked];
    expect(
      [identities]
        .flat()
        .map((identity) => String((identity as JsonBody)["user_id"]))
        .toSorted(),
    ).toEqual(expected.map(own).toSorted());
    for (const account of accounts.filter((each) => each !== owner))
      expect(await manage("GET", at(account)), account).toMatchObject({ status: linked.includes(account) ? 404 : 200 });
  });

  test("leaves one current signing key after thirty-two rotations and parallel revocations, and all tokens stay valid", async () => {
    const keys = "/api/v2/keys/signing";
    const [key = {}] = list(await manage("GET", keys)).filter(({ current }) => current === true);
    const responses = await Promise.all([
      ...many.map(() => manage("POST", `${keys}/rotate`)),
      ...many.slice(0, 4).map(() => manage("PUT", `${keys}/${stringMember(key, "kid")}/revoke`)),
    ]);
    // A token may be signed with the revoked key and gets 401. A tenant publishes at most ten keys.
    expect(responses.map(({ status }) => status).filter((status) => ![201, 401, 409].includes(status))).toEqual([]);
    const after = list(await manage("GET", keys));
    expect(after.filter(({ current }) => current === true)).toHaveLength(1);
    expect(after.find(({ kid }) => kid === key["kid"])).toMatchObject({ current: false });
    const published = list(await service.call("GET", "/.well-known/jwks.json"), "keys").map(({ kid }) => kid);
    expect(published).toContain(after.find(({ current }) => current === true)?.["kid"]);
    for (const token of await Promise.all(many.map(() => service.token())))
      expect((await service.call("GET", "/api/v2/roles", { token })).status).toBe(200);
  });

  test("deletes a user with all their data during parallel changes", async () => {
    const api = "https://removed.example.test/";
    await organizations.createApi(api, "read:things");
    const role = await organizations.createRole("Removed", api, "read:things");
    const permissions = [{ resource_server_identifier: api, permission_name: "read:things" }];
    const organization = await organizations.create("removed");
    for (let round = 0; round < 4; round++) {
      const user = await service.addUser(`removed-${round}@example.test`);
      const { userId } = user;
      const account = await newUser(`removed-account-${round}@example.test`);
      const writes: readonly (() => Promise<ApiResponse>)[] = [
        () => manage("PATCH", at(userId), { app_metadata: { plan: "gold" } }),
        () => manage("POST", at(userId, "/roles"), { roles: [role] }),
        () => manage("POST", `/api/v2/roles/${role}/users`, { users: [userId] }),
        () => manage("POST", at(userId, "/permissions"), { permissions }),
        () => manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] }),
        () => manage("POST", at(userId, "/identities"), { provider: "auth0", user_id: account }),
        () => manage("DELETE", at(userId)),
        () => manage("PATCH", at(userId), { name: "x" }),
      ];
      const requests = many.flatMap((i) => writes[(i + round) % writes.length] ?? []);
      const responses = await Promise.all(requests.map((write) => write()));
      for (const { status, body } of responses) expect([200, 201, 204, 404, 409], JSON.stringify(body)).toContain(status);

      expect(await manage("GET", at(userId))).toMatchObject({ status: 404 });
      expect(await total(`/api/v2/roles/${role}/users`)).toBe(0);
      expect(await total(`/api/v2/organizations/${organization}/members`)).toBe(0);
      // The linked account was deleted with its user or is a separate user again. It is never left without a user.
      const left = await manage("GET", at(account));
      if (left.status === 200) expect(jsonBody(left)["identities"]).toHaveLength(1);
      else await newUser(`removed-account-${round}@example.test`);
      const recreated = { connection, email: user.email, user_id: userId.split("|")[1] };
      expect(await manage.create("/api/v2/users", recreated)).toMatchObject({ user_id: userId, app_metadata: {}, identities: [{}] });
      for (const collection of ["roles", "permissions", "organizations"])
        expect(list(await manage("GET", at(userId, `/${collection}`))), collection).toEqual([]);
    }
    expect(service.faults).toEqual([]);
  });
}
