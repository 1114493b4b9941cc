import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { jsonBody, type JsonBody } from "../support/api.ts";
import { codeGrant, refreshGrant, sendAuthorization, signInAtLoginPage, successParameters, tokens, type App } from "../support/flow.ts";
import { register, registered, setOpenRegistration } from "../support/registration.ts";

/** The plan Dynamic without `request_uri` and pairwise subjects, and the plan Third-Party Initiated Login. */

const callback = "https://suite.example.test/callback";
const metadata = {
  redirect_uris: [callback],
  contacts: ["suite@example.test"],
  token_endpoint_auth_method: "client_secret_basic",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
};

let service: DocumentService;
beforeAll(async () => {
  service = await openDocumentService({ crypto: { signingAlgorithm: "RS256" }, limits: { registrationsPerAddress: 1000 } });
  await setOpenRegistration(service, true);
  service.clock.advance("6s");
});

/** Signs Ada in for a client that registered itself. @returns the code. */
async function codeFor(app: App, parameters: { readonly [name: string]: string } = {}): Promise<string> {
  const browser = service.browser();
  const page = await sendAuthorization(browser, app, { scope: "openid offline_access", ...parameters });
  return successParameters(await signInAtLoginPage(browser, page, service.ada))["code"] ?? "";
}

describe("a registration", () => {
  test("oidcc-server: is 201 with a secret, its expiry, a token and an https URL, and can be deleted", async () => {
    const client = await registered(service, metadata);
    const { registration } = client;
    expect(registration).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 });
    expect(new URL(String(registration["registration_client_uri"])).protocol).toBe("https:");
    expect((await service.call("DELETE", client.path, { token: client.token })).status).toBe(204);
  });

  test("oidcc-idtoken-rs256: gets ID tokens of RS256 with a key id", async () => {
    const client = await registered(service, { ...metadata, id_token_signed_response_alg: "RS256" });
    const { id } = tokens(await service.exchange(codeGrant(client, await codeFor(client))));
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  });

  test("oidcc-userinfo-rs256: gets signed responses of userinfo", async () => {
    const client = await registered(service, { ...metadata, userinfo_signed_response_alg: "RS256" });
    expect(client.registration["userinfo_signed_response_alg"]).toBe("RS256");
    const { access } = tokens(await service.exchange(codeGrant(client, await codeFor(client))));
    const request = new Request(`${service.postern.issuer}userinfo`, { headers: { authorization: `Bearer ${access}` } });
    const response = await service.postern.fetch(request);
    expect(response.headers.get("content-type")).toBe("application/jwt");
    expect(decodeProtectedHeader(await response.text())).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  });

  test("oidcc-redirect-uri-regfrag: a URI with a fragment is 400", async () => {
    const response = await register(service, { ...metadata, redirect_uris: [`${callback}#fragment`] });
    expect(jsonBody(response, 400)["error"]).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });

  test("oidcc-registration-logo-uri, -policy-uri and -tos-uri: are stored", async () => {
    const links = { logo_uri: `${callback}/logo.png`, policy_uri: `${callback}/policy`, tos_uri: `${callback}/tos` };
    expect((await registered(service, { ...metadata, ...links })).registration).toMatchObject(links);
  });

  test("oidcc-3rd_party-init-login: returns initiate_login_uri, also at the configuration endpoint, and -nohttps: http is 400", async () => {
    const initiate_login_uri = "https://suite.example.test/initiate";
    const client = await registered(service, { ...metadata, initiate_login_uri });
    const read = jsonBody(await service.call("GET", client.path, { token: client.token }));
    for (const shown of [client.registration, read]) expect(shown).toMatchObject({ initiate_login_uri });
    const http = await register(service, { ...metadata, initiate_login_uri: "http://suite.example.test/initiate" });
    expect(jsonBody(http, 400)["error"]).toBe("invalid_client_metadata");
  });
});

describe("redirect URIs", () => {
  test("oidcc-ensure-redirect-uri-in-authorization-request: two are registered and none is sent: an error page", async () => {
    const client = await registered(service, { ...metadata, redirect_uris: [callback, `${callback}/second`] });
    const result = await sendAuthorization(service.browser(), client, { redirect_uri: undefined });
    expect(result).toMatchObject({ kind: "page", status: 400 });
  });

  test("oidcc-redirect-uri-query-OK, -mismatch and -added: the query must be as registered", async () => {
    const client = await registered(service, { ...metadata, redirect_uris: [`${callback}?foo=bar`] });
    const browser = service.browser();
    const page = await sendAuthorization(browser, client);
    expect(page.kind).toBe("login");
    const plain = await registered(service, metadata);
    for (const [app, redirect_uri] of [
      [client, `${callback}?foo=baz`],
      [client, callback],
      [plain, `${callback}?foo=bar`],
    ] as const)
      expect(await sendAuthorization(service.browser(), app, { redirect_uri })).toMatchObject({ kind: "page", status: 400 });
  });
});

describe("keys at a URL", () => {
  const jwksUri = "https://suite.example.test/jwks.json";

  /** Publishes a new key, and returns a function that signs assertions with it. */
  async function publishKey(kid: string) {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    service.publish(jwksUri, { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] });
    return async (client: App, aud: unknown = service.postern.issuer) => {
      const now = Math.floor(service.clock.now() / 1000);
      const payload = { iss: client.clientId, sub: client.clientId, aud: aud as string, jti: crypto.randomUUID(), iat: now, exp: now + 60 };
      return {
        client_assertion: await new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey),
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      };
    };
  }
  const keyed = { ...metadata, token_endpoint_auth_method: "private_key_jwt", jwks_uri: jwksUri };

  test("oidcc-registration-jwks-uri and -ensure-client-assertion-with-iss-aud-succeeds: authenticate the client", async () => {
    const assert = await publishKey("first");
    const client = await registered(service, keyed);
    for (const audience of [service.postern.issuer, `${service.postern.issuer}oauth/token`, [service.postern.issuer]]) {
      const body = { ...codeGrant(client, await codeFor(client)), ...(await assert(client, audience)) };
      expect((await service.exchange(body)).status).toBe(200);
    }
  });

  test("oidcc-refresh-token-rp-key-rotation: a new key of the client works after a minute", async () => {
    const before = await publishKey("before");
    const client = await registered(service, keyed);
    service.clock.advance("61s");
    const body = { ...codeGrant(client, await codeFor(client)), ...(await before(client)) };
    const { refresh } = tokens(await service.exchange(body));
    const after = await publishKey("after");
    service.clock.advance("61s");
    expect((await service.exchange({ ...refreshGrant(client, refresh), ...(await after(client)) })).status).toBe(200);
  });
});

test("oidcc-server-rotate-keys: the key set has the new key and still the old one", async () => {
  const published = async () => {
    const { keys } = jsonBody(await service.call("GET", "/.well-known/jwks.json"));
    return (keys as readonly JsonBody[]).map(({ kid }) => String(kid));
  };
  const before = await published();
  jsonBody(await service.manage("POST", "/api/v2/keys/signing/rotate", {}), 201);
  service.clock.advance("6s");
  const after = await published();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after).toEqual(expect.arrayContaining(before));
});
