import { beforeAll, describe, expect, test } from "vitest";
import { athOf, callWithProof } from "../dpop/prover.ts";
import { openPushed, pushedUri } from "../par/pushing.ts";
import { jsonBody } from "../support/api.ts";
import { authorizeParameters, claimsOf, codeGrant, errorParameters, loginState, readResult, submit, submitStep } from "../support/flow.ts";
import { authorizeAs, exchangeAs, obtainAs, openFapiWorld, pushAs, signedInBrowser, type FapiWorld } from "./fapi-world.ts";

/** The plan FAPI 2.0 Security Profile with private_key_jwt and DPoP: flows, requests and pushed requests. */

let world: FapiWorld;
beforeAll(async () => {
  world = await openFapiWorld();
});

describe("happy flow", () => {
  test("fapi2-security-profile-final-discovery-end-point-verification: names what the profile requires", async () => {
    const metadata = jsonBody(await world.call("GET", "/.well-known/openid-configuration"));
    expect(metadata).toMatchObject({
      pushed_authorization_request_endpoint: expect.stringMatching(/^https:/),
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: expect.arrayContaining(["private_key_jwt"]),
    });
    for (const name of ["token_endpoint_auth_signing", "dpop_signing", "id_token_signing"]) {
      const list = metadata[`${name}_alg_values_supported`];
      expect(
        ["PS256", "ES256", "EdDSA"].some((alg) => Array.isArray(list) && list.includes(alg)),
        name,
      ).toBe(true);
    }
  });

  test("-happy-flow: the code, iss and tokens are as required, and the token of one client is refused with the proof of the other", async () => {
    const response = jsonBody(await pushAs(world, world.first), 201);
    expect(response["request_uri"]).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    expect(response["expires_in"]).toBeLessThan(600);
    const { code = "", iss } = await authorizeAs(world, world.first);
    expect([code, iss]).toEqual([expect.stringMatching(/^[\w-]{43,}$/), world.postern.issuer]);
    const { access, refresh, id } = await obtainAs(world, world.first);
    expect([access.length > 43, refresh.length > 21, claimsOf(id)["aud"]]).toEqual([true, true, world.first.app.clientId]);
    expect((await callWithProof(world, world.first.prover, access, "GET", "/userinfo")).status).toBe(200);
    expect((await callWithProof(world, world.second.prover, access, "GET", "/userinfo")).status).toBe(401);
  });

  test("-user-rejects-authentication: access_denied", async () => {
    const path = `/api/v2/clients/${world.second.app.clientId}`;
    jsonBody(await world.manage("PATCH", path, { is_first_party: false }));
    world.clock.advance("6s");
    const browser = world.browser();
    const uri = await pushedUri(world, world.second.app, { ...(await world.second.app.credentials()), prompt: "consent" });
    const state = loginState(await openPushed(browser, world.second.app, uri));
    await submitStep(browser, state, { action: "continue", identifier: world.ada.email });
    await submitStep(browser, state, { action: "sign-in", password: world.ada.password });
    const denied = errorParameters(await submit(browser, state, { action: "deny" }));
    expect(denied).toMatchObject({ error: "access_denied", iss: world.postern.issuer });
    jsonBody(await world.manage("PATCH", path, { is_first_party: true }));
    world.clock.advance("6s");
  });

  test("-ensure-authorization-request-without-state and -without-nonce: the response and the ID token have none", async () => {
    expect(await authorizeAs(world, world.first, { state: undefined })).not.toHaveProperty("state");
    const claims = claimsOf((await obtainAs(world, world.first, { state: undefined, nonce: undefined })).id);
    expect(claims).not.toHaveProperty("nonce");
    expect(claims).not.toHaveProperty("s_hash");
  });

  test.each([64, 384])("-ensure-authorization-request-with-%i-char-nonce: the nonce is intact", async (length) => {
    const nonce = "n".repeat(length);
    expect(claimsOf((await obtainAs(world, world.first, { nonce })).id)["nonce"]).toBe(nonce);
  });

  test("-state-longer-than-1000: is intact", async () => {
    const state = "s".repeat(1001);
    expect((await authorizeAs(world, world.first, { state }))["state"]).toBe(state);
  });

  test("-scope order and the case of the scheme do not matter", async () => {
    const { access } = await obtainAs(world, world.first, { scope: "offline_access openid" });
    for (const scheme of ["dpop", "DPOP"]) {
      const first = await world.call("GET", "/userinfo", {
        headers: { authorization: `${scheme} ${access}`, dpop: await world.first.prover.prove("GET", "/userinfo", { ath: athOf(access) }) },
      });
      const nonce = first.headers.get("dpop-nonce") ?? "";
      const dpop = await world.first.prover.prove("GET", "/userinfo", { ath: athOf(access), nonce });
      expect((await world.call("GET", "/userinfo", { headers: { authorization: `${scheme} ${access}`, dpop } })).status).toBe(200);
    }
  });
});

describe("requests", () => {
  test.each([
    ["-ensure-registered-redirect-uri", { redirect_uri: "https://evil.example.test/" }],
    ["-ensure-redirect-uri-in-authorization-request", { redirect_uri: undefined }],
    ["-ensure-response-type-code-idtoken-fails", { response_type: "code id_token" }],
    ["-ensure-response-type-token-fails", { response_type: "token" }],
    ["-par-authorization-request-containing-request_uri-form-param", { request_uri: "urn:ietf:params:oauth:request_uri:x" }],
    ["-par-ensure-pkce-required", { code_challenge: undefined, code_challenge_method: undefined }],
    ["-par-plain-pkce-rejected", { code_challenge_method: "plain" }],
  ])("%s: is refused at the push", async (_, parameters) => {
    expect((await pushAs(world, world.first, parameters)).status).toBe(400);
  });

  test("-ensure-unsigned-authorization-request-without-using-par-fails: a page", async () => {
    const query = new URLSearchParams(authorizeParameters(world.first.app));
    expect(await readResult(await world.browser().get(`/authorize?${query}`))).toMatchObject({ kind: "page", status: 400 });
  });

  test("-ensure-different-nonce-inside-and-outside, -different-state and -only-state-outside: only the pushed values count", async () => {
    for (const state of ["pushed", undefined]) {
      const uri = await pushedUri(world, world.first.app, {
        ...(await world.first.app.credentials()),
        state,
        nonce: "pushed",
        scope: "openid",
      });
      const result = await openPushed(await signedInBrowser(world), world.first.app, uri, { state: "outer", nonce: "outer" });
      expect(result.kind === "response" && result.parameters["state"]).toBe(state);
      const code = result.kind === "response" ? (result.parameters["code"] ?? "") : "";
      const body = jsonBody(await exchangeAs(world, world.first, codeGrant(world.first.app, code)));
      expect(claimsOf(String(body["id_token"]))["nonce"]).toBe("pushed");
    }
  });
});

describe("pushed requests", () => {
  test("-par-attempt-invalid-http-method: GET is refused", async () => {
    expect((await world.call("GET", "/oauth/par")).status).toBe(405);
  });

  test("-par-attempt-to-use-request_uri-for-different-client, -expired and -reuse: are error pages", async () => {
    const page = { kind: "page", status: 400 };
    const push = async () => pushedUri(world, world.first.app, { ...(await world.first.app.credentials()) });
    const uri = await push();
    expect(await openPushed(world.browser(), world.second.app, uri)).toMatchObject(page);
    expect((await openPushed(await signedInBrowser(world), world.first.app, uri)).kind).toBe("response");
    expect(await openPushed(await signedInBrowser(world), world.first.app, uri)).toMatchObject(page);
    const expired = await push();
    world.clock.advance("601s");
    expect(await openPushed(await signedInBrowser(world), world.first.app, expired)).toMatchObject(page);
  });

  test("-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds: the page can be loaded again before the login", async () => {
    const uri = await pushedUri(world, world.first.app, { ...(await world.first.app.credentials()) });
    const browser = world.browser();
    for (const _ of [1, 2]) expect((await openPushed(browser, world.first.app, uri)).kind).toBe("login");
  });
});
