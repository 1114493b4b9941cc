import { createTokenCheck, TokenError, type ReplayStore, type TokenCheckOptions } from "@postern/app";
import { beforeAll, expect, test } from "vitest";
import { athOf, createProver, exchangeWithProof, type Prover } from "../dpop/prover.ts";
import { openService, tokens, type LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";

const audience = "https://orders.example.test";
let service: LoginService;
let prover: Prover;
let other: Prover;
let bound: string;
let bearer: string;

beforeAll(async () => {
  service = await openService();
  [prover, other] = await Promise.all([createProver(service), createProver(service)]);
  await service.manage.create("/api/v2/resource-servers", {
    identifier: audience,
    scopes: [{ value: "read" }],
    proof_of_possession: { mechanism: "dpop", required: false },
  });
  await service.manage.create("/api/v2/client-grants", { client_id: "main-manager", audience, scope: ["read"] });
  const body = { grant_type: "client_credentials", client_id: "main-manager", client_secret: clientSecret, audience };
  bound = tokens(await exchangeWithProof(service, prover, body)).access;
  bearer = tokens(await service.exchange(body)).access;
});

const open = (more: Partial<TokenCheckOptions> = {}) =>
  createTokenCheck({ postern: service.postern, tenantId: "main", audience, now: () => service.clock.now(), ...more });
type Check = ReturnType<typeof open>;

const url = `${audience}/orders?page=2`;
const htu = `${audience}/orders`;

/** Sends a request to the API. @returns the claims, or the status, the error and the nonce. */
async function send(check: Check, proof: string | undefined, { scheme = "DPoP", token = bound, method = "GET", required = ["read"] } = {}) {
  const headers = new Headers({ authorization: `${scheme} ${token}`, ...(proof !== undefined && { dpop: proof }) });
  const result = await check.requireToken({ headers, method, url }, required);
  if (!(result instanceof Response)) return { status: 200, error: undefined, nonce: undefined, challenge: "" };
  const { error } = (await result.json()) as { error: string };
  const challenge = result.headers.get("www-authenticate") ?? "";
  return { status: result.status, error, nonce: result.headers.get("dpop-nonce") ?? undefined, challenge };
}

const prove = (claims: object = {}, by = prover) => by.prove("GET", "/", { htu, ath: athOf(bound), ...claims });

/** Returns a nonce of the check. */
async function nonceOf(check: Check): Promise<string> {
  const { status, error, nonce = "" } = await send(check, await prove());
  expect([status, error]).toEqual([401, "use_dpop_nonce"]);
  return nonce;
}

test("accepts a bound token with a proof that has the nonce, once", async () => {
  const check = open();
  const proof = await prove({ nonce: await nonceOf(check) });
  expect((await send(check, proof)).status).toBe(200);
  expect(await send(check, proof)).toMatchObject({ status: 401, error: "invalid_dpop_proof" });
});

test("rejects a bound token without the proof of its key", async () => {
  const check = open();
  const nonce = await nonceOf(check);
  const attempts: readonly (readonly [string, string | undefined, object?])[] = [
    ["as a bearer token", undefined, { scheme: "Bearer" }],
    ["as a bearer token with a proof", await prove({ nonce }), { scheme: "Bearer" }],
    ["without a proof", undefined],
    ["another key", await prove({ nonce }, other)],
    ["another token", await prove({ nonce, ath: athOf(bearer) })],
    ["no token", await prove({ nonce, ath: undefined })],
    ["another path", await prove({ nonce, htu: `${audience}/users` })],
    ["another host", await prove({ nonce, htu: "https://evil.example.test/orders" })],
    ["another method", await prove({ nonce, htm: "POST" })],
    ["old", await prove({ nonce, iat: Math.floor(service.clock.now() / 1000) - 400 })],
    ["no id", await prove({ nonce, jti: undefined })],
    ["two proofs", `${await prove({ nonce })}, ${await prove({ nonce })}`],
    ["no JWT", "x"],
    ["a private key", await prover.prove("GET", "/", { htu, nonce, ath: athOf(bound) }, { jwk: Object.assign({ d: "AA" }, prover.jwk) })],
    ["another type", await prover.prove("GET", "/", { htu, nonce, ath: athOf(bound) }, { typ: "JWT" })],
  ];
  for (const [what, proof, more] of attempts) {
    const { status, challenge } = await send(check, proof, more);
    expect([what, status]).toEqual([what, 401]);
    expect(challenge).toMatch(/^DPoP error="invalid_(token|dpop_proof)"/);
  }
});

test("`verify` without the request rejects a bound token, and accepts a bearer token", async () => {
  await expect(open().verify(`DPoP ${bound}`)).rejects.toThrow(TokenError);
  await expect(open().verify(`Bearer ${bound}`)).rejects.toThrow("bound to a key");
  await expect(open().verify(`DPoP ${bearer}`)).rejects.toThrow("scheme Bearer");
  expect(await open().verify(`Bearer ${bearer}`)).toMatchObject({ tenant_id: "main" });
});

test("accepts a proof in the process that issued its nonce, or in all with a secret and a common store", async () => {
  const [first, second] = [open(), open()];
  const nonce = await nonceOf(first);
  expect(await send(second, await prove({ nonce }))).toMatchObject({ status: 401, error: "use_dpop_nonce" });
  const used = new Set<string>();
  const replayStore: ReplayStore = { use: (id) => !used.has(id) && used.add(id) !== undefined };
  const dpop = { secret: "0123456789abcdef0123456789abcdef", replayStore };
  const [third, fourth] = [open({ dpop }), open({ dpop })];
  const proof = await prove({ nonce: await nonceOf(third) });
  expect((await send(fourth, proof)).status).toBe(200);
  expect((await send(third, proof)).status).toBe(401);
});

test("of thirty-two parallel requests with one proof, one is accepted", async () => {
  const check = open();
  const proof = await prove({ nonce: await nonceOf(check) });
  const results = await Promise.all(Array.from({ length: 32 }, () => send(check, proof)));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a nonce expires after two minutes", async () => {
  const check = open();
  const nonce = await nonceOf(check);
  service.clock.advance("3m");
  expect(await send(check, await prove({ nonce }))).toMatchObject({ status: 401, error: "use_dpop_nonce" });
});

test("uses the origin of the option, never that of the request, and rejects invalid options", async () => {
  const check = open({ dpop: { origin: "https://api.example.test" } });
  const nonce = await nonceOf(open({ dpop: { origin: audience } })).catch(() => "");
  expect(nonce).not.toBe("");
  expect(await send(check, await prove())).toMatchObject({ error: "invalid_dpop_proof" });
  expect(await send(check, await prove({ htu: "https://api.example.test/orders" }))).toMatchObject({ error: "use_dpop_nonce" });
  expect(() => open({ dpop: { secret: "short" } })).toThrow(TypeError);
  expect(() => open({ dpop: { secret: "0123456789abcdef0123456789abcdef" } })).toThrow("replayStore");
  expect(() => open({ dpop: { origin: "api.example.test" } })).toThrow(TypeError);
});

test("a missing scope of a bound token is a challenge with the scheme DPoP", async () => {
  const check = open();
  const proof = await prove({ nonce: await nonceOf(check) });
  expect(await send(check, proof, { required: ["write"] })).toMatchObject({
    status: 403,
    challenge: expect.stringMatching(/^DPoP error="insufficient_scope"/),
  });
});
