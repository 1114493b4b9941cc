import { generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { athOf, createProver } from "../dpop/prover.ts";
import { openPushed } from "../par/pushing.ts";
import { jsonBody } from "../support/api.ts";
import { codeGrant, successParameters } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";
import { authorizeAs, exchangeAs, obtainAs, openFapiWorld, pushAs, signedInBrowser, type FapiWorld } from "./fapi-world.ts";

/** The plan FAPI 2.0 Security Profile with private_key_jwt and DPoP: proofs. */

let world: FapiWorld;
let access: string;
beforeAll(async () => {
  world = await openFapiWorld();
  ({ access } = await obtainAs(world, world.first));
});

const seconds = () => Math.floor(world.clock.now() / 1000);

describe("binding of a code to a key", () => {
  test("-ensure-dpop-auth-code-binding-success, and -fails-with-mismatched-dpop-jkt at the token endpoint", async () => {
    for (const [by, status] of [
      [world.first.prover, 200],
      [world.second.prover, 400],
    ] as const) {
      const { code = "" } = await authorizeAs(world, world.first, { dpop_jkt: world.first.prover.jkt });
      expect((await exchangeAs(world, world.first, codeGrant(world.first.app, code), by)).status).toBe(status);
    }
  });

  test("-ensure-dpopproof-at-par-endpoint-binding-success, and -fails-with-mismatched-dpop-proof", async () => {
    for (const [by, status] of [
      [world.first.prover, 200],
      [world.second.prover, 400],
    ] as const) {
      const code = await codeOfProvenPush();
      expect((await exchangeAs(world, world.first, codeGrant(world.first.app, code), by)).status).toBe(status);
    }
  });

  test("-ensure-mismatched-dpop-jkt-fails at the push", async () => {
    const proof = (nonce?: string) => world.first.prover.prove("POST", "/oauth/par", nonce === undefined ? {} : { nonce });
    const first = await pushAs(world, world.first, {}, { headers: { dpop: await proof() } });
    const headers = { dpop: await proof(first.headers.get("dpop-nonce") ?? "") };
    const response = await pushAs(world, world.first, { dpop_jkt: world.second.prover.jkt }, { headers });
    expect(jsonBody(response, 400)["error"]).toBe("invalid_dpop_proof");
  });

  /** Pushes a request with a proof of the first client's key. @returns the code. */
  async function codeOfProvenPush(): Promise<string> {
    const { app, prover } = world.first;
    const first = await pushAs(world, world.first, {}, { headers: { dpop: await prover.prove("POST", "/oauth/par") } });
    const nonce = first.headers.get("dpop-nonce") ?? "";
    const headers = { dpop: await prover.prove("POST", "/oauth/par", { nonce }) };
    const { request_uri: uri } = jsonBody(await pushAs(world, world.first, {}, { headers }), 201);
    return successParameters(await openPushed(await signedInBrowser(world), app, String(uri)))["code"] ?? "";
  }
});

describe("proofs at the resource", () => {
  /** The current nonce of the resource. */
  async function currentNonce(): Promise<string> {
    const proof = await world.first.prover.prove("GET", "/userinfo", { ath: athOf(access) });
    return (await send(proof)).headers.get("dpop-nonce") ?? "";
  }
  const send = (dpop: string | undefined, scheme = "DPoP", name = "dpop"): Promise<ApiResponse> =>
    world.call("GET", "/userinfo", { headers: { authorization: `${scheme} ${access}`, ...(dpop !== undefined && { [name]: dpop }) } });
  const prove = async (claims: object = {}, header: object = {}, by = world.first.prover) =>
    by.prove("GET", "/userinfo", { ath: athOf(access), nonce: await currentNonce(), ...claims }, header);

  test.each([
    ["without htm", { htm: undefined }, {}],
    ["without htu", { htu: undefined }, {}],
    ["without iat", { iat: undefined }, {}],
    ["without jti", { jti: undefined }, {}],
    ["without ath", { ath: undefined }, {}],
    ["with another htm", { htm: "POST" }, {}],
    ["with another htu", { htu: "https://other.example.test/userinfo" }, {}],
    ["with another ath", { ath: athOf("other") }, {}],
    ["with another typ", {}, { typ: "JWT" }],
  ])("dpop-negative-tests: %s is 401", async (_, claims, header) => {
    expect((await send(await prove(claims, header))).status).toBe(401);
  });

  test("dpop-negative-tests: an hour off, other keys and algorithms, a private key, two proofs, no proof and text are 401", async () => {
    const { jwk } = world.first.prover;
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const { d } = (await crypto.subtle.exportKey("jwk", privateKey)) as { d: string };
    const attempts = [
      await prove({ iat: seconds() - 3600 }),
      await prove({ iat: seconds() + 3600 }),
      await prove({}, {}, world.second.prover),
      await prove({}, {}, await createProver(world, "RS256")),
      await prove({}, { jwk: { ...jwk, d } }),
      (await prove()).replace(/[^.]*$/, "AAAA"),
      `${btoa('{"typ":"dpop+jwt","alg":"none"}').replaceAll("=", "")}.${(await prove()).split(".")[1] ?? ""}.`,
      `${await prove()}, ${await prove()}`,
      "text",
      undefined,
    ];
    for (const proof of attempts) expect((await send(proof)).status, String(proof)).toBe(401);
    expect((await send(await prove(), "Bearer")).status).toBe(401);
    expect((await send(undefined, "Bearer")).status).toBe(401);
  });

  test("dpop-negative-tests: a proof is used once", async () => {
    const proof = await prove();
    expect([(await send(proof)).status, (await send(proof)).status]).toEqual([200, 401]);
  });

  test.each([
    ["check-dpop-proof-nbf-exp", { nbf: 0, exp: 4_000_000_000 }, {}],
    ["extra claims and header parameters", { extra: "claim" }, { extra: "parameter" }],
    ["htu with upper-case scheme and host", { htu: "HTTPS://ID.EXAMPLE.TEST/userinfo" }, {}],
    ["htu with the default port", { htu: "https://id.example.test:443/userinfo" }, {}],
    ["htu with query and fragment", { htu: "https://id.example.test/userinfo?a=b#c" }, {}],
  ])("%s: is accepted", async (_, claims, header) => {
    expect((await send(await prove(claims, header))).status).toBe(200);
  });

  test("ensure-dpopproof-with-iat-10seconds-before-succeeds and -after-succeeds, and the header's name in any case", async () => {
    for (const offset of [-10, 10]) expect((await send(await prove({ iat: seconds() + offset }), "DPoP", "DpOp")).status).toBe(200);
  });
});
