import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import { codeGrant, login, openService, tokens, type LoginService } from "../support/flow.ts";
import { managementAudience, type ApiResponse } from "../support/postern.ts";
import { athOf, callWithProof, createProver, exchangeWithProof, type Prover } from "./prover.ts";

let service: LoginService;
let prover: Prover;
let other: Prover;
let bound: string;
let bearer: string;
let management: string;

beforeAll(async () => {
  service = await openService();
  [prover, other] = await Promise.all([createProver(service), createProver(service)]);
  const body = async () => codeGrant(service.web, (await login(service.browser(), service.web, service.ada))["code"] ?? "");
  bound = tokens(await exchangeWithProof(service, prover, await body())).access;
  bearer = tokens(await service.exchange(await body())).access;
  const credentials = { grant_type: "client_credentials", client_id: "main-manager", client_secret: String(service.web.secret) };
  management = tokens(await exchangeWithProof(service, prover, { ...credentials, audience: managementAudience })).access;
});

interface Sent {
  readonly proof?: string | undefined;
  readonly scheme?: string;
  readonly token?: string;
}

/** Requests a resource with a token and a proof. */
function send(method: string, path: string, { proof, scheme = "DPoP", token = bound }: Sent): Promise<ApiResponse> {
  return service.call(method, path, { headers: { authorization: `${scheme} ${token}`, ...(proof !== undefined && { dpop: proof }) } });
}

const resources = [
  ["/userinfo", "GET", () => bound],
  ["/api/v2/clients?per_page=1", "GET", () => management],
] as const;

test.each(resources)("%s accepts a bound token with a proof, and the scheme in any case", async (path, method, token) => {
  for (const scheme of ["DPoP", "dpop", "DPOP"]) {
    const proof = await prover.prove(method, path, { ath: athOf(token()) });
    expect(await send(method, path, { proof, scheme, token: token() })).toMatchObject({ status: 200 });
  }
});

test("a script of the client can read that a proof needs a nonce, and the nonce", async () => {
  const origin = "https://app.example.test";
  const body = codeGrant(service.spa, (await login(service.browser(), service.spa, service.ada))["code"] ?? "");
  const token = tokens(await exchangeWithProof(service, prover, body)).access;
  const proof = await prover.prove("GET", "/userinfo", { ath: athOf(token), nonce: undefined });
  const response = await service.call("GET", "/userinfo", { headers: { origin, authorization: `DPoP ${token}`, dpop: proof } });
  expectError(response, 401, "use_dpop_nonce");
  expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  expect(response.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("dpop-nonce");
  expect(response.headers.get("dpop-nonce")).toMatch(/./);
});

test.each(resources)("%s rejects a bound token without its proof: 401 with a challenge", async (path, method, token) => {
  const ath = athOf(token());
  const right = () => prover.prove(method, path, { ath });
  const once = await right();
  expect((await send(method, path, { proof: once, token: token() })).status).toBe(200);
  const attempts: readonly (readonly [string, Sent])[] = [
    ["as a bearer token", { scheme: "Bearer" }],
    ["as a bearer token with a proof", { scheme: "Bearer", proof: await right() }],
    ["without a proof", {}],
    ["with a used proof", { proof: once }],
    ["with a proof of another key", { proof: await other.prove(method, path, { ath }) }],
    ["with a proof of another token", { proof: await prover.prove(method, path, { ath: athOf("x") }) }],
    ["with a proof of no token", { proof: await prover.prove(method, path) }],
    ["with a proof for the token endpoint", { proof: await prover.prove("POST", "/oauth/token", { ath }) }],
    ["with a proof for another method", { proof: await prover.prove("DELETE", path, { ath }) }],
    ["with a proof for another path", { proof: await prover.prove(method, "/api/v2/users", { ath }) }],
    ["with two proofs", { proof: `${await right()}, ${await right()}` }],
    ["with an access token as the proof", { proof: token() }],
  ];
  for (const [what, sent] of attempts) {
    const response = await send(method, path, { token: token(), ...sent });
    expect([what, response.status]).toEqual([what, 401]);
    expect(response.headers.get("www-authenticate")).toMatch(/^DPoP error="invalid_(token|dpop_proof)", .*algs="ES256 /);
  }
});

test("a bearer token with the scheme DPoP is rejected, and one with a stray proof is a bearer token", async () => {
  const proof = () => prover.prove("GET", "/userinfo", { ath: athOf(bearer) });
  expect((await send("GET", "/userinfo", { token: bearer, proof: await proof() })).status).toBe(401);
  expect((await send("GET", "/userinfo", { token: bearer, scheme: "Bearer", proof: await proof() })).status).toBe(200);
});

test("a bound token in a form is rejected, alone and beside the header", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ access_token: bound }).toString();
  expect((await service.call("POST", "/userinfo", { body, headers })).status).toBe(401);
  const dpop = await prover.prove("POST", "/userinfo", { ath: athOf(bound) });
  const both = { ...headers, authorization: `DPoP ${bound}`, dpop };
  expectError(await service.call("POST", "/userinfo", { body, headers: both }), 400, "invalid_request");
});

test("a public client needs a nonce, which each response renews, and scripts may read the header", async () => {
  const code = (await login(service.browser(), service.spa, service.ada))["code"] ?? "";
  const { access } = tokens(await exchangeWithProof(service, prover, codeGrant(service.spa, code)));
  const ath = athOf(access);
  const first = await send("GET", "/userinfo", { token: access, proof: await prover.prove("GET", "/userinfo", { ath }) });
  expect([first.status, first.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining('DPoP error="use_dpop_nonce"')]);
  const nonce = String(first.headers.get("dpop-nonce"));
  const second = await send("GET", "/userinfo", { token: access, proof: await prover.prove("GET", "/userinfo", { ath, nonce }) });
  expect([second.status, second.headers.get("dpop-nonce")]).toEqual([200, null]);
  service.clock.advance("61s");
  const dpop = await prover.prove("GET", "/userinfo", { ath, nonce });
  const origin = "https://app.example.test";
  const third = await service.call("GET", "/userinfo", { headers: { authorization: `DPoP ${access}`, dpop, origin } });
  expect([third.status, third.headers.get("dpop-nonce")]).toEqual([200, expect.not.stringMatching(nonce)]);
  expect(third.headers.get("access-control-expose-headers")).toContain("DPoP-Nonce");
});

test("a nonce of another tenant is not accepted", async () => {
  const body = { grant_type: "client_credentials", client_secret: String(service.web.secret) };
  const nonceOf = async (tenant: string) => {
    const dpop = await prover.prove("POST", "/oauth/token");
    const response = await service.exchange({ ...body, client_id: `${tenant}-manager`, audience: managementAudience }, { dpop });
    return String(response.headers.get("dpop-nonce"));
  };
  const [main, foreign] = [await nonceOf("main"), await nonceOf("other")];
  expect(main).not.toBe(foreign);
  const dpop = await prover.prove("POST", "/oauth/token", { nonce: foreign });
  expectError(
    await service.exchange({ ...body, client_id: "main-manager", audience: managementAudience }, { dpop }),
    400,
    "use_dpop_nonce",
  );
});

test("the path of the proof is that of the request, also with encoded ids", async () => {
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  const response = await callWithProof(service, prover, management, "GET", path);
  expect(jsonBody(response)["user_id"]).toBe(service.ada.userId);
});
