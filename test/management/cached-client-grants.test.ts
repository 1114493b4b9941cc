import { expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { managementAudience } from "../support/postern.ts";
import { openTwoProcesses } from "../support/two-processes.ts";

test("accepts a token whose client grant another process added after this process cached the missing grant", async () => {
  const [one, two] = await openTwoProcesses();
  const client = await one.main.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive" });
  const [client_id, client_secret] = [stringMember(client, "client_id"), stringMember(client, "client_secret")];
  const grant = { client_id, audience: managementAudience, scope: ["read:users"] };
  const create = async (): Promise<string> => stringMember(await one.main.create("/api/v2/client-grants", grant), "id");
  const requestToken = async (): Promise<string> => {
    const body = { grant_type: "client_credentials", client_id, client_secret, audience: managementAudience };
    return stringMember(jsonBody(await one.call("POST", "/oauth/token", { body })), "access_token");
  };

  const first = await create();
  const token = await requestToken();
  expect(await two.call("GET", "/api/v2/users", { token })).toMatchObject({ status: 200 });
  await one.main("DELETE", `/api/v2/client-grants/${first}`);
  one.clock.advance(6000);
  // The second process reads that the client has no grant, and caches it.
  expectError(await two.call("GET", "/api/v2/users", { token }), 401, "invalid_token", "the token was revoked");

  await create();
  expect(await two.call("GET", "/api/v2/users", { token: await requestToken() })).toMatchObject({ status: 200 });
});
