import { beforeAll, describe, expect, test } from "vitest";
import { createKeyClient } from "../fapi/key-client.ts";
import { openPushed, push, pushedUri } from "../par/pushing.ts";
import { jsonBody } from "../support/api.ts";
import { openFapiWorld, pushAs, type FapiWorld } from "./fapi-world.ts";

/** The plan FAPI 2.0 Security Profile with private_key_jwt and DPoP: client authentication. */

let world: FapiWorld;
beforeAll(async () => {
  world = await openFapiWorld();
});

const seconds = () => Math.floor(world.clock.now() / 1000);
const refusals = /^invalid_(client|request|grant)$/;

describe("client authentication", () => {
  test("-ensure-client-assertion-in-par: no assertion is refused", async () => {
    const response = await push(world, world.first.app, {});
    expect(response.status).toBe(401);
  });

  test.each([
    ["-par-test-array-as-audience-fails", () => ({ aud: [world.postern.issuer] })],
    ["-par-test-par-endpoint-url-as-audience-fails", () => ({ aud: `${world.postern.issuer}oauth/par` })],
    ["-par-test-token-endpoint-url-as-audience-fails", () => ({ aud: `${world.postern.issuer}oauth/token` })],
    ["-ensure-client-assertion-with-wrong-aud-fails", () => ({ aud: "https://other.example.test/" })],
    ["-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails", () => ({ exp: seconds() - 300 })],
    ["-ensure-client-assertion-with-no-sub-fails", () => ({ sub: undefined })],
    ["-ensure-client-assertion-with-iat-60-seconds-ahead-fails", () => ({ iat: seconds() + 60 })],
    ["-ensure-client-assertion-with-nbf-60-seconds-ahead-fails", () => ({ nbf: seconds() + 60 })],
    ["-ensure-client-assertion-of-another-client-fails", () => ({ iss: world.second.app.clientId, sub: world.second.app.clientId })],
  ])("%s: 400 or 401", async (_, claims) => {
    const response = await pushAs(world, world.first, { client_id: undefined }, { claims: claims() });
    expect([400, 401]).toContain(response.status);
    expect((response.body as { error: string }).error).toMatch(refusals);
  });

  test("-ensure-client-assertion-with-iat-8-seconds-ahead: is accepted, also for nbf", async () => {
    expect((await pushAs(world, world.first, {}, { claims: { iat: seconds() + 8, nbf: seconds() + 8 } })).status).toBe(201);
  });

  test("-ensure-signed-client-assertion-with-RS256-fails", async () => {
    const rsa = await createKeyClient(world, "RS256");
    const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
    jsonBody(await world.manage("PATCH", `/api/v2/clients/${rsa.clientId}`, level));
    world.clock.advance("6s");
    expect((await push(world, rsa, await rsa.credentials())).status).toBe(401);
  });

  test("-par-test-client_id of another client: is refused", async () => {
    const response = await pushAs(world, world.first, { client_id: world.second.app.clientId });
    expect([400, 401]).toContain(response.status);
  });
});

test("a pushed request of one client is not opened for another with its own assertion", async () => {
  const uri = await pushedUri(world, world.first.app, { ...(await world.first.app.credentials()) });
  expect(await openPushed(world.browser(), world.second.app, uri)).toMatchObject({ kind: "page", status: 400 });
});
