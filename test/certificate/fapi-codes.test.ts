import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import { codeGrant, refreshGrant } from "../support/flow.ts";
import { authorizeAs, exchangeAs, obtainAs, openFapiWorld, type FapiWorld } from "./fapi-world.ts";

/** The plan FAPI 2.0 Security Profile with private_key_jwt and DPoP: codes and refresh tokens. */

let world: FapiWorld;
beforeAll(async () => {
  world = await openFapiWorld();
});

describe("codes and refresh tokens", () => {
  const exchange = (body: { readonly [name: string]: string }) => exchangeAs(world, world.first, body);
  const newCode = async () => (await authorizeAs(world, world.first))["code"] ?? "";

  test("-ensure-authorization-code-is-bound-to-client: 400 invalid_grant", async () => {
    const body = codeGrant(world.second.app, await newCode());
    expectError(await exchangeAs(world, world.second, body), 400, "invalid_grant");
  });

  test("-attempt-reuse-authorization-code-after-one-second and a code older than a minute: 400 invalid_grant", async () => {
    const used = codeGrant(world.first.app, await newCode());
    expect((await exchange(used)).status).toBe(200);
    world.clock.advance("1s");
    expectError(await exchange(used), 400, "invalid_grant");
    const old = codeGrant(world.first.app, await newCode());
    world.clock.advance("61s");
    expectError(await exchange(old), 400, "invalid_grant");
  });

  test("-ensure-token-endpoint-fails-without-pkce-verifier and -with-wrong: 400 invalid_grant", async () => {
    for (const code_verifier of [undefined, "w".repeat(43)])
      expectError(await exchange(codeGrant(world.first.app, await newCode(), { code_verifier })), 400, "invalid_grant");
  });

  test("-refresh-token: is bound to its client, needs client authentication, and rotates only if it must", async () => {
    const { refresh } = await obtainAs(world, world.first);
    const body = refreshGrant(world.first.app, refresh);
    expectError(await exchangeAs(world, world.second, refreshGrant(world.second.app, refresh)), 400, "invalid_grant");
    const proof = await world.first.prover.prove("POST", "/oauth/token");
    expect((await world.exchange(body, { dpop: proof })).status).toBe(401);
    expect(jsonBody(await exchange(body))).toMatchObject({ token_type: "DPoP" });
  });

  test("-ensure-holder-of-key-required: a token request without a proof is refused", async () => {
    const body = { ...codeGrant(world.first.app, await newCode()), ...(await world.first.app.credentials()) };
    expect((await world.exchange(body)).status).toBe(400);
  });

  test("-access-token-in-query: is refused at the resource", async () => {
    const { access } = await obtainAs(world, world.first);
    expect((await world.call("GET", `/userinfo?access_token=${access}`)).status).toBe(401);
  });

  test("a client_credentials token has no refresh token", async () => {
    const api = "https://fapi.example.test/";
    await world.manage.create("/api/v2/resource-servers", { identifier: api });
    await world.manage.create("/api/v2/client-grants", { client_id: world.first.app.clientId, audience: api, scope: [] });
    jsonBody(
      await world.manage("PATCH", `/api/v2/clients/${world.first.app.clientId}`, {
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      }),
    );
    world.clock.advance("6s");
    const body = jsonBody(await exchange({ grant_type: "client_credentials", audience: api }));
    expect(body).not.toHaveProperty("refresh_token");
  });
});
