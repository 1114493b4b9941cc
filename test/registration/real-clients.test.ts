import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { codeGrant, refreshGrant, tokens, type LoginService } from "../support/flow.ts";
import { codeForTools, openServiceForStrangers, registered, setOpenRegistration, tools } from "../support/registration.ts";
import { realClients } from "./real-clients.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openServiceForStrangers();
  await setOpenRegistration(service, true);
});

test.each(realClients)("registers $name, and issues tokens to it", async (real) => {
  const { metadata, redirectUri, origin, resource = tools, refreshesWithResource } = real;
  const client = await registered(service, metadata);
  expect(client.registration).toMatchObject({
    redirect_uris: metadata["redirect_uris"],
    client_name: metadata["client_name"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: metadata["token_endpoint_auth_method"] ?? "client_secret_basic",
  });
  const app = { ...client, redirectUri: redirectUri ?? client.redirectUri };
  const code = await codeForTools(service.browser(), app, service.ada, { resource });

  const headers = origin === undefined ? {} : { origin };
  const response = await service.exchange(codeGrant(app, code, { resource }), headers);
  if (origin !== undefined) expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  const issued = tokens(response);
  expect(decodeJwt(issued.access)).toMatchObject({ azp: client.clientId, sub: service.ada.userId });
  expect([decodeJwt(issued.access).aud].flat()).toContain(tools);
  const more = refreshesWithResource === false ? {} : { resource };
  const renewed = tokens(await service.exchange(refreshGrant(app, issued.refresh, more), headers));
  expect(renewed.refresh).not.toBe(issued.refresh);
  expect(renewed.scope.split(" ")).toContain("read:tools");
});

test("does not limit later requests to the registered scope", async () => {
  const client = await registered(service, { ...realClients[0]?.metadata, scope: "openid" });
  expect(client.registration["scope"]).toBe("openid");
  const issued = tokens(await service.exchange(codeGrant(client, await codeForTools(service.browser(), client, service.ada))));
  expect(issued.scope.split(" ").toSorted()).toEqual(["offline_access", "openid", "read:tools"]);
});

test("accepts authentication by every method that a client with a secret may use", async () => {
  for (const method of ["client_secret_basic", "client_secret_post"]) {
    const client = await registered(service, { redirect_uris: ["https://agent.example.test/cb"], token_endpoint_auth_method: method });
    expect(client.registration).toMatchObject({ client_secret: expect.stringMatching(/^[\w-]{43,}$/), client_secret_expires_at: 0 });
    const { secret = "", ...app } = client;
    const basic = { authorization: `Basic ${btoa(`${client.clientId}:${secret}`)}` };
    const code = await codeForTools(service.browser(), client, service.ada);
    expect(
      jsonBody(
        await service.exchange(
          codeGrant(method === "client_secret_basic" ? app : client, code),
          method === "client_secret_basic" ? basic : {},
        ),
      ),
    ).toHaveProperty("access_token");
  }
});
