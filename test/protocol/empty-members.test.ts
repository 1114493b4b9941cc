import { beforeEach, describe, expect, test } from "vitest";
import { obtainTokens, offline, openService, refreshGrant, tokens, type LoginService } from "../support/flow.ts";
import { clientSecret, managementAudience } from "../support/postern.ts";

/**
 * Members that are `null` or an empty string count as absent in the Auth API, as an empty parameter of a form does: Auth0's
 * SDKs for Java and Python send every optional member.
 */

let service: LoginService;

beforeEach(async () => {
  service = await openService();
  await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
});

const connection = "Username-Password-Authentication";

/** Endpoints with their required and their optional members. */
const requests: readonly (readonly [path: string, body: () => object, optional: readonly string[]])[] = [
  ["/dbconnections/change_password", () => ({ email: service.ada.email, connection }), ["client_id", "organization", "username"]],
  [
    "/dbconnections/signup",
    () => ({ email: "grace@example.test", password: "correct horse battery staple", connection }),
    ["client_id", "username", "name", "nickname", "given_name", "family_name", "picture", "phone_number", "user_metadata"],
  ],
  [
    "/passwordless/start",
    () => ({ client_id: "main-manager", connection: "email", email: service.ada.email, send: "code" }),
    ["phone_number", "client_secret", "authParams"],
  ],
  [
    "/oauth/token",
    () => ({ grant_type: "client_credentials", client_id: "main-manager", client_secret: clientSecret, audience: managementAudience }),
    ["scope", "organization", "client_assertion", "client_assertion_type", "resource"],
  ],
];

describe.each([null, ""])("a value of %j", (value) => {
  test.each(requests)("in an optional member of POST %s counts as absent", async (path, body, optional) => {
    const empty = Object.fromEntries(optional.map((name) => [name, value]));
    const reply = await service.call("POST", path, { body: { ...body(), ...empty } });
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
  });

  test("in authParams counts as absent", async () => {
    const authParams = { scope: value, audience: value, organization: value, state: value };
    const body = { client_id: "main-manager", connection: "email", email: service.ada.email, send: "code", authParams };
    expect(await service.call("POST", "/passwordless/start", { body })).toMatchObject({ status: 200 });
  });
});

test("a refresh with an empty scope, which auth0-python sends by default, returns an ID token and all scopes", async () => {
  const app = await service.register({ grant_types: ["authorization_code", "refresh_token"] });
  const { refresh } = await obtainTokens(service, app, service.ada, offline);
  const { id, scope } = tokens(await service.call("POST", "/oauth/token", { body: refreshGrant(app, refresh, { scope: "" }) }));
  expect(id).not.toBe("");
  expect(scope).toBe(offline.scope);
});

test("keeps null and empty strings inside user_metadata", async () => {
  const body = {
    email: "grace@example.test",
    password: "correct horse battery staple",
    connection,
    user_metadata: { theme: null, name: "", size: 1 },
  };
  expect(await service.call("POST", "/dbconnections/signup", { body })).toMatchObject({
    status: 200,
    body: { user_metadata: { theme: null, name: "", size: 1 } },
  });
});

test.each([null, ""])("rejects a required member that is %j", async (password) => {
  const reply = await service.call("POST", "/dbconnections/signup", { body: { email: "grace@example.test", password, connection } });
  expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});
