import { AuthenticationClient as AuthenticationClient4 } from "auth0-4";
import { AuthenticationClient as AuthenticationClient6 } from "auth0-6";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientSecret } from "../support/postern.ts";
import type { ServedPostern } from "../support/http.ts";
import { serveTls } from "../support/tls.ts";

/** Runs the database client of Auth0's unmodified Node SDK. Its seventh major version has none. */

const connection = "Username-Password-Authentication";
const password = "Correct-horse-7";

let service: ServedPostern;
beforeAll(async () => {
  service = await serveTls();
});
afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

describe.each([
  ["sixth", AuthenticationClient6],
  ["fourth", AuthenticationClient4],
])("the %s major version", (name, Client) => {
  test("signs a user up, and returns Auth0's errors for a duplicate or weak sign-up", async () => {
    const { database } = new Client({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
    const newUser = { connection, email: `${name}@example.test`, password, user_metadata: { plan: "gold" } };
    const { data, status } = await database.signUp(newUser);
    expect([status, data]).toMatchObject([200, { email: newUser.email, email_verified: false, user_metadata: newUser.user_metadata }]);
    expect(data).toHaveProperty("_id");

    await expect(database.signUp(newUser)).rejects.toMatchObject({ statusCode: 400, error: "invalid_signup" });
    const weak = database.signUp({ ...newUser, email: `weak-${name}@example.test`, password: "short" });
    await expect(weak).rejects.toMatchObject({ statusCode: 400, error: "invalid_password" });
  });
});
