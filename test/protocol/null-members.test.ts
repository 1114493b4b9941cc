import { beforeEach, expect, test } from "vitest";
import { openService, type LoginService } from "../support/flow.ts";
import { clientSecret, managementAudience } from "../support/postern.ts";

/** Members that are `null` count as absent in the Auth API: Auth0's SDK for Java sends every optional member. */

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

test.each(requests)("POST %s treats optional members that are null as absent", async (path, body, optional) => {
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const reply = await service.call("POST", path, { body: { ...body(), ...nulls } });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
});

test("keeps null inside user_metadata", async () => {
  const body = {
    email: "grace@example.test",
    password: "correct horse battery staple",
    connection,
    user_metadata: { theme: null, size: 1 },
  };
  expect(await service.call("POST", "/dbconnections/signup", { body })).toMatchObject({
    status: 200,
    body: { user_metadata: { theme: null, size: 1 } },
  });
});

test("rejects a required member that is null", async () => {
  const reply = await service.call("POST", "/dbconnections/signup", { body: { email: "grace@example.test", password: null, connection } });
  expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});
