import { generateKeyPair, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { createKeyClient, type KeyClient } from "../fapi/key-client.ts";
import { expectError, jsonBody } from "../support/api.ts";
import {
  authorizeParameters,
  claimsOf,
  codeGrant,
  errorParameters,
  login,
  readResult,
  signInAtLoginPage,
  successParameters,
  tokens,
} from "../support/flow.ts";
import { openObject, requestObject, type ObjectOptions } from "./signing.ts";

let service: DocumentService;
let app: KeyClient;
beforeAll(async () => {
  service = await openDocumentService();
  app = await createKeyClient(service, "ES256");
});

/** Opens an object with a redirect URI outside it, to which errors are sent. */
const refused = async (options: ObjectOptions, by: KeyClient = app) =>
  errorParameters(await openObject(service.browser(), by, await requestObject(service, by, options), { redirect_uri: by.redirectUri }));

const seconds = () => Math.floor(service.clock.now() / 1000);

test.each(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])(
  "signs in with a request object of %s and only client_id outside it",
  async (alg) => {
    const client = await createKeyClient(service, alg);
    const browser = service.browser();
    const page = await openObject(browser, client, await requestObject(service, client));
    const { code = "", state } = successParameters(await signInAtLoginPage(browser, page, service.ada));
    expect(state).toBe("inner");
    const response = await service.exchange({ ...codeGrant(client, code), ...(await client.credentials()) });
    expect(claimsOf(tokens(response).id)["nonce"]).toBe("inner-nonce");
  },
);

test("accepts an object in a form, and numbers and objects as parameters", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const request = await requestObject(service, app, { claims: { max_age: 0, claims: { id_token: { auth_time: { essential: true } } } } });
  const response = await browser.post("/authorize", { form: { client_id: app.clientId, request } });
  expect((await readResult(response)).kind).toBe("login");
});

test("ignores unknown claims of any type, and rejects several resources", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const request = await requestObject(service, app, { claims: { groups: ["a", "b"], nested: [{}] } });
  expect(successParameters(await openObject(browser, app, request))["state"]).toBe("inner");
  const several = { claims: { resource: ["https://a.example.test/", "https://b.example.test/"] } };
  expect(await refused(several)).toMatchObject({ error: "invalid_target" });
});

describe("parameters outside the object", () => {
  test("do not count for an OAuth 2.0 request", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const request = await requestObject(service, app, { claims: { state: undefined } });
    const outer = { state: "outer", prompt: "login", redirect_uri: "https://evil.example.test/" };
    expect(successParameters(await openObject(browser, app, request, outer))).not.toHaveProperty("state");
  });

  test("count for an OpenID Connect request if the object does not contain them, and the object wins", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const request = await requestObject(service, app, { claims: { state: undefined } });
    const outer = { ...authorizeParameters(app), state: "outer", nonce: "outer-nonce", redirect_uri: "https://evil.example.test/" };
    const result = await openObject(browser, app, request, outer);
    const { code = "", state } = successParameters(result);
    expect([result, state]).toMatchObject([{ to: app.redirectUri }, "outer"]);
    const response = await service.exchange({ ...codeGrant(app, code), ...(await app.credentials()) });
    expect(claimsOf(tokens(response).id)["nonce"]).toBe("inner-nonce");
  });

  test.each([
    ["no response_type", undefined],
    ["another response_type", "token"],
  ])("are rejected for an OpenID Connect request with %s", async (_, response_type) => {
    const outer = { scope: "openid", response_type, redirect_uri: app.redirectUri };
    const result = await openObject(service.browser(), app, await requestObject(service, app), outer);
    expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object" });
  });
});

test("another response_type outside the object is rejected for an OAuth 2.0 request, too", async () => {
  const outer = { scope: "profile", response_type: "token", redirect_uri: app.redirectUri };
  const result = await openObject(service.browser(), app, await requestObject(service, app), outer);
  expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object" });
});

describe("an object is rejected", () => {
  test.each([
    ["for another audience", { claims: { aud: "https://other.example.test/" } }],
    ["without an audience", { claims: { aud: undefined } }],
    ["of another issuer", { claims: { iss: "other" } }],
    ["for another client", { claims: { client_id: "other" } }],
    ["without a client_id", { claims: { client_id: undefined } }],
    ["with a nested object", { claims: { request: "e30.e30.x" } }],
    ["with a request_uri", { claims: { request_uri: "https://app.example.test/request" } }],
    ["of another type", { header: { typ: "at+jwt" } }],
    ["with critical extensions", { header: { crit: ["b64"], b64: true } }],
    ["with an unknown key id", { header: { kid: "other" } }],
  ] as const)("%s", async (_, options) => {
    expect(await refused(options as ObjectOptions)).toMatchObject({ error: "invalid_request_object" });
  });

  test("that has expired, or is not valid yet", async () => {
    expect(await refused({ claims: { exp: seconds() - 60 } })).toMatchObject({ error: "invalid_request_object" });
    expect(await refused({ claims: { nbf: seconds() + 60 } })).toMatchObject({ error: "invalid_request_object" });
  });

  test("with the signature of another key, and without a signature", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    expect(await refused({ key: privateKey })).toMatchObject({ error: "invalid_request_object" });
    const unsigned = new UnsecuredJWT({ ...authorizeParameters(app), iss: app.clientId, aud: service.postern.issuer }).encode();
    const result = await openObject(service.browser(), app, unsigned, { redirect_uri: app.redirectUri, state: "outer" });
    expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object", state: "outer" });
  });

  test("of HS256 with the secret of the client", async () => {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(service.web.secret),
      { name: "HMAC", hash: "SHA-256" },
      true,
      ["sign"],
    );
    expect(await refused({ header: { alg: "HS256" }, key })).toMatchObject({ error: "invalid_request_object" });
  });

  test("on a page if no registered redirect URI is outside it", async () => {
    const request = await requestObject(service, app, { claims: { aud: "https://other.example.test/" } });
    for (const redirect_uri of [undefined, "https://evil.example.test/"])
      expect(await openObject(service.browser(), app, request, { redirect_uri })).toMatchObject({ kind: "page", status: 400 });
  });

  test("as a client assertion", async () => {
    const assertion = await requestObject(service, app, { claims: { sub: app.clientId, jti: "object-as-assertion" } });
    const { client_assertion_type } = await app.credentials();
    const response = await service.exchange({ grant_type: "client_credentials", client_assertion: assertion, client_assertion_type });
    expect(response.status).toBe(401);
  });

  test.each([undefined, "JWT"])("as a client assertion, and an assertion as an object, with typ %s", async (typ) => {
    const header = { typ };
    const claims = { sub: app.clientId, jti: `object-with-type-${typ}` };
    const client_assertion = await requestObject(service, app, { header, claims });
    const { client_assertion_type } = await app.credentials();
    const requests = [
      { scope: undefined, redirect_uri: undefined },
      { response_type: undefined, redirect_uri: undefined },
    ];
    const others = requests.map((removed) => requestObject(service, app, { header, claims: { ...claims, ...removed } }));
    for (const assertion of [client_assertion, ...(await Promise.all(others))]) {
      const response = await service.exchange({
        grant_type: "refresh_token",
        refresh_token: "none",
        client_assertion: assertion,
        client_assertion_type,
      });
      expectError(response, 401, "invalid_client");
    }
    expect(await refused({ header, claims: { sub: app.clientId } })).toMatchObject({ error: "invalid_request_object" });
    expect((await openObject(service.browser(), app, await requestObject(service, app, { header }))).kind).toBe("login");
  });
});

test("a client assertion is not accepted as a request object", async () => {
  const { client_assertion: request } = await app.credentials();
  const result = await openObject(service.browser(), app, request, authorizeParameters(app));
  expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object" });
});

test("requests no keys for an object of another issuer", async () => {
  const fresh = await createKeyClient(service, "ES256");
  await refused({ claims: { iss: "other" } }, fresh);
  expect(service.requests).not.toContain(fresh.jwksUri);
});

test("discovery names the algorithms, without none", async () => {
  const metadata = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
  expect(metadata).toMatchObject({ request_parameter_supported: true, request_uri_parameter_supported: false });
  expect(metadata["request_object_signing_alg_values_supported"]).toEqual(["RS256", "RS384", "PS256", "ES256", "EdDSA", "Ed25519"]);
});
