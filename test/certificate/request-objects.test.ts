import { exportJWK, generateKeyPair, importJWK, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createKeyClient } from "../fapi/key-client.ts";
import { openPushed } from "../par/pushing.ts";
import { openObject, requestObject, type ObjectOptions } from "../request-objects/signing.ts";
import { expectError, jsonBody } from "../support/api.ts";
import { authorizeParameters, login, successParameters } from "../support/flow.ts";
import { openFapiWorld, pushAs, signedInBrowser, type FapiWorld } from "./fapi-world.ts";

/** Request objects: of OpenID Connect by value, and of the plan FAPI 2.0 Message Signing at the push. */

let world: FapiWorld;
beforeAll(async () => {
  world = await openFapiWorld();
  const path = `/api/v2/clients/${world.first.app.clientId}`;
  jsonBody(await world.manage("PATCH", path, { signed_request_object: { required: true } }));
  world.clock.advance("6s");
});

const seconds = () => Math.floor(world.clock.now() / 1000);
const nothing = Object.fromEntries(["redirect_uri", "scope", "state", "nonce", "response_type"].map((name) => [name, undefined]));
const pushObject = async (options: ObjectOptions = {}) =>
  pushAs(world, world.first, { ...nothing, request: await requestObject(world, world.first.app, options) });

test("oidcc-ensure-request-object-with-redirect-uri: the URI in the object is used, and never a bad one outside", async () => {
  const app = await createKeyClient(world, "RS256");
  const browser = world.browser();
  await login(browser, world.web, world.ada);
  const request = await requestObject(world, app);
  const result = await openObject(browser, app, request, { ...authorizeParameters(app), redirect_uri: "https://evil.example.test/" });
  expect(result).toMatchObject({ to: app.redirectUri });
  expect(successParameters(result)["code"]).toBeDefined();
});

describe("fapi2-message-signing request objects", () => {
  test("-happy-flow, and multiple audiences: lead to a code", async () => {
    for (const aud of [world.postern.issuer, [world.postern.issuer, "https://other.example.test/"]]) {
      const { request_uri: uri } = jsonBody(await pushObject({ claims: { aud } }), 201);
      const result = await openPushed(await signedInBrowser(world), world.first.app, String(uri));
      expect(successParameters(result)).toMatchObject({ code: expect.any(String), iss: world.postern.issuer });
    }
  });

  test.each([
    ["-with-bad-aud-fails", () => ({ aud: "https://other.example.test/" })],
    ["-without-exp-fails", () => ({ exp: undefined })],
    ["-without-nbf-fails", () => ({ nbf: undefined })],
    ["-with-exp-over-60-fails", () => ({ exp: seconds() + 4200 })],
    ["-with-nbf-over-60-fails", () => ({ nbf: seconds() - 4200 })],
    ["-expired-fails", () => ({ exp: seconds() - 300 })],
    ["-with-request_uri-fails", () => ({ request_uri: "urn:ietf:params:oauth:request_uri:x" })],
    ["-of-another-client-fails", () => ({ client_id: world.second.app.clientId })],
  ])("%s: invalid_request_object", async (_, claims) => {
    expectError(await pushObject({ claims: claims() }), 400, "invalid_request_object");
  });

  test("-with-nbf-8-seconds-in-the-future-is-accepted", async () => {
    expect((await pushObject({ claims: { nbf: seconds() + 8 } })).status).toBe(201);
  });

  test("-without-redirect_uri-fails", async () => {
    const object = await pushObject({ claims: { redirect_uri: undefined } });
    expect(jsonBody(object, 400)["error"]).toMatch(/^invalid_request/);
  });

  test("-signed-with-another-key, -signed-by-another-client, -with-invalid-signature and -with-alg-none fail", async () => {
    const { privateKey } = await generateKeyPair("PS256");
    expectError(await pushObject({ key: privateKey }), 400, "invalid_request_object");
    const { app } = world.second;
    expectError(await pushObject({ key: app.key, header: { alg: "ES256", kid: app.kid } }), 400, "invalid_request_object");
    const good = await requestObject(world, world.first.app);
    const unsigned = new UnsecuredJWT({ client_id: world.first.app.clientId, iss: world.first.app.clientId }).encode();
    for (const request of [good.replace(/[^.]*$/, "AAAA"), unsigned])
      expectError(await pushAs(world, world.first, { ...nothing, request }), 400, "invalid_request_object");
  });

  test("-with-RS256-fails: the algorithm is not allowed, although the key is that of the client", async () => {
    const app = await createKeyClient(world, "PS256", { require_pushed_authorization_requests: true });
    const privateJwk = await exportJWK(app.key);
    const { kty, n, e } = privateJwk;
    world.publish(app.jwksUri, { keys: [{ kty, n, e, kid: app.kid }] });
    const key = await importJWK(privateJwk, "RS256");
    if (!(key instanceof CryptoKey)) throw new Error("the key was not imported");
    const client = { app, prover: world.first.prover };
    const pushRs256 = async () => {
      const request = await requestObject(world, app, { key, header: { alg: "RS256" } });
      return pushAs(world, client, { ...nothing, request });
    };
    expect((await pushRs256()).status).toBe(201);
    const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
    jsonBody(await world.manage("PATCH", `/api/v2/clients/${app.clientId}`, level));
    world.clock.advance("6s");
    expectError(await pushRs256(), 400, "invalid_request_object");
  });

  test("-ensure-unsigned-par-request-fails", async () => {
    expectError(await pushAs(world, world.first), 400, "invalid_request");
  });
});
