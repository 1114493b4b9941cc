import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { beforeEach, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { codeGrant, redirectOf, submitStep, successParameters } from "../support/flow.ts";
import { documentOf, documentUrl, openDocumentService, reachConsent, redirectUri, type DocumentService } from "./documents.ts";

const keysUrl = "https://agent.example.test/jwks.json";

let service: DocumentService;
beforeEach(async () => {
  service = await openDocumentService();
  // ChatGPT's document lists its methods instead of naming one.
  const methods = { token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] };
  service.publish(documentUrl, documentOf({ ...methods, jwks_uri: keysUrl }));
});

async function publishKey(kid: string, alg = "RS256"): Promise<CryptoKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const published = { keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: "sig" }] };
  service.publish(keysUrl, published);
  return privateKey;
}

async function assertion(
  key: CryptoKey,
  kid: string,
  { alg = "RS256", jti = String(Math.random()), subject = documentUrl, audience = service.postern.issuer, lifetime = 60 } = {},
): Promise<string> {
  const now = Math.floor(service.clock.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg, kid })
    .setIssuer(subject)
    .setSubject(subject)
    .setAudience(audience)
    .setJti(jti)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(key);
}

/** Signs a user in and exchanges the code with an assertion. @returns the status and the error. */
async function exchange(clientAssertion: string | undefined): Promise<string> {
  const browser = service.browser();
  const state = await reachConsent(service, browser, { prompt: "login consent" });
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  const { client_id: clientId, ...grant } = codeGrant({ clientId: documentUrl, redirectUri }, code);
  const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  const proof =
    clientAssertion === undefined ? { client_id: clientId ?? "" } : { client_assertion: clientAssertion, client_assertion_type: type };
  const response = await service.exchange({ ...grant, ...proof });
  return response.status === 200 ? "200" : `${response.status} ${String(jsonBody(response, response.status)["error"])}`;
}

test("a client authenticates with a key at its jwks_uri, and only so", async () => {
  const key = await publishKey("one");
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  expect(await exchange(undefined)).toBe("401 invalid_client");
  const { privateKey: stranger } = await generateKeyPair("RS256");
  expect(await exchange(await assertion(stranger, "one"))).toBe("401 invalid_client");
  expect(await exchange(await assertion(key, "one", { subject: "https://agent.example.test/other.json" }))).toBe("401 invalid_client");
});

test("a client that became an ordinary one still authenticates with its keys", async () => {
  const key = await publishKey("one");
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  const [client] = (await service.manage("GET", "/api/v2/clients?external_metadata_type=cimd")).body as readonly { client_id: string }[];
  expect((await service.manage("POST", `/api/v2/clients/${client?.client_id ?? ""}/pin`)).status).toBe(200);
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  expect(await exchange(undefined)).toBe("401 invalid_client");
});

test("an assertion is used once", async () => {
  const key = await publishKey("one");
  const once = await assertion(key, "one", { jti: "once" });
  expect(await exchange(once)).toBe("200");
  expect(await exchange(once)).toBe("401 invalid_client");
});

test("a new key is found after a minute, and unknown keys cause one request a minute", async () => {
  const first = await publishKey("one");
  expect(await exchange(await assertion(first, "one"))).toBe("200");
  const second = await publishKey("two");
  const requests = () => service.requests.filter((url) => url === keysUrl).length;
  expect(await exchange(await assertion(second, "two"))).toBe("401 invalid_client");
  expect(requests()).toBe(1);
  service.clock.advance("61s");
  expect(await exchange(await assertion(second, "two"))).toBe("200");
  expect(await exchange(await assertion(first, "three"))).toBe("401 invalid_client");
  expect(requests()).toBe(2);
});

test("an assertion that is not valid with any key causes no request, although its key is unknown", async () => {
  const key = await publishKey("one");
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  service.clock.advance("61s");
  const requests = () => service.requests.filter((url) => url === keysUrl).length;
  for (const invalid of [{ audience: "https://other.example.test/" }, { lifetime: -120 }])
    expect(await exchange(await assertion(key, "unknown", invalid))).toBe("401 invalid_client");
  expect(requests()).toBe(1);
  expect(await exchange(await assertion(key, "unknown"))).toBe("401 invalid_client");
  expect(requests()).toBe(2);
});

test("known keys count while the server of the client fails, for a day", async () => {
  const key = await publishKey("one");
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  service.publish(keysUrl, new Response("", { status: 500 }));
  service.clock.advance("2h");
  expect(await exchange(await assertion(key, "one"))).toBe("200");
  service.clock.advance("23h");
  expect(await exchange(await assertion(key, "one"))).toBe("401 invalid_client");
});

test.each([
  ["is HTML", new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["is longer than 12 kB", Response.json({ keys: [], padding: "x".repeat(13_000) })],
  ["contains no keys", Response.json({ keys: [] })],
  ["is not a key set", Response.json({ keys: "none" })],
])("a key set that %s verifies nothing", async (_, response) => {
  const key = await publishKey("one");
  service.publish(keysUrl, response);
  expect(await exchange(await assertion(key, "one"))).toBe("401 invalid_client");
});

test("a symmetric key in a published set verifies nothing", async () => {
  service.publish(keysUrl, { keys: [{ kty: "oct", kid: "one", k: "c2VjcmV0LXRoYXQtaXMtbG9uZy1lbm91Z2gtZm9yLWhtYWM" }] });
  const key = new TextEncoder().encode("secret-that-is-long-enough-for-hmac");
  const forged = await new SignJWT({ jti: "x" })
    .setProtectedHeader({ alg: "HS256", kid: "one" })
    .setIssuer(documentUrl)
    .setSubject(documentUrl)
    .setAudience(service.postern.issuer)
    .setExpirationTime("1m")
    .sign(key);
  expect(await exchange(forged)).toBe("401 invalid_client");
});
