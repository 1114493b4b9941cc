import { AuthenticationClient as AuthenticationClient4 } from "auth0-4";
import { AuthenticationClient as AuthenticationClient6 } from "auth0-6";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientSecret } from "../support/postern.ts";
import type { ServedPostern } from "../support/http.ts";
import { serveTls } from "../support/tls.ts";

/** The database client of the vendor's Node SDK, unmodified. The seventh major version has none. */

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
  test("signs somebody up, and tells why it cannot", async () => {
    const { database } = new Client({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
    const person = { connection, email: `${name}@example.test`, password, user_metadata: { plan: "gold" } };
    const { data, status } = await database.signUp(person);
    expect([status, data]).toMatchObject([200, { email: person.email, email_verified: false, user_metadata: person.user_metadata }]);
    expect(data).toHaveProperty("_id");

    await expect(database.signUp(person)).rejects.toMatchObject({ statusCode: 400, error: "invalid_signup" });
    const weak = database.signUp({ ...person, email: `weak-${name}@example.test`, password: "short" });
    await expect(weak).rejects.toMatchObject({ statusCode: 400, error: "invalid_password" });
  });
});
