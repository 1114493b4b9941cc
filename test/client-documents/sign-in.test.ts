import { beforeAll, describe, expect, test } from "vitest";
import {
  claimsOf,
  errorParameters,
  getFlow,
  loginState,
  readResult,
  redirectOf,
  screenName,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { jsonBody } from "../support/api.ts";
import {
  audience,
  authorizeDocument,
  documentOf,
  documentRequest,
  documentUrl,
  openDocumentService,
  reachConsent,
  redirectUri,
  signInWithDocument,
  type DocumentService,
} from "./documents.ts";

let service: DocumentService;
beforeAll(async () => {
  service = await openDocumentService();
});

test("a client that only has a metadata document signs a user in, refreshes, and is shown by its URL in tokens and logs", async () => {
  const first = await signInWithDocument(service, service.browser());
  expect(claimsOf(first.access)).toMatchObject({ aud: [audience, expect.stringContaining("userinfo")], azp: documentUrl });
  expect(claimsOf(first.id)).toMatchObject({ aud: documentUrl });
  const refreshed = await service.exchange({
    grant_type: "refresh_token",
    client_id: documentUrl,
    refresh_token: first.refresh,
  });
  expect(refreshed.status).toBe(200);
  expect(claimsOf(jsonBody(refreshed)["access_token"] as string)).toMatchObject({ azp: documentUrl });

  const [log] = (await service.manage("GET", "/api/v2/logs?q=type:seacft&per_page=1&sort=date:-1")).body as readonly object[];
  expect(log).toMatchObject({ client_name: "Agent", details: { external_client_id: documentUrl } });
  const [client] = (await service.manage("GET", `/api/v2/clients?external_client_id=${encodeURIComponent(documentUrl)}`))
    .body as readonly object[];
  expect(client).toMatchObject({
    client_id: expect.stringMatching(/^cimd_[A-Za-z0-9_-]{43}$/),
    external_client_id: documentUrl,
    external_metadata_type: "cimd",
    external_metadata_created_by: "client",
    is_first_party: false,
    refresh_token: { rotation_type: "rotating" },
  });
});

test("revokes by the URL", async () => {
  const own = await openDocumentService();
  const granted = await signInWithDocument(own, own.browser());
  const revoked = await own.call("POST", "/oauth/revoke", { body: { client_id: documentUrl, token: granted.refresh } });
  expect(revoked.status).toBe(200);
  const refused = await own.exchange({ grant_type: "refresh_token", client_id: documentUrl, refresh_token: granted.refresh });
  expect(jsonBody(refused, 400)["error"]).toBe("invalid_grant");
});

describe("the tenant decides", () => {
  test("a tenant without the setting does not know the client and sends no request", async () => {
    const closed = await openDocumentService();
    await closed.manage("PATCH", "/api/v2/tenants/settings", { client_id_metadata_document_supported: false });
    expect(await authorizeDocument(closed.browser())).toMatchObject({ kind: "page", status: 400 });
    expect(closed.requests).toEqual([]);
    expect(jsonBody(await closed.call("GET", "/.well-known/openid-configuration"))).not.toHaveProperty(
      "client_id_metadata_document_supported",
    );
  });

  test("a host that is not listed is refused without a request", async () => {
    const limited = await openDocumentService();
    const domains = { client_id_metadata_document_domains: ["claude.ai"] };
    expect((await limited.manage("PATCH", "/api/v2/tenants/settings", domains)).status).toBe(200);
    expect(await authorizeDocument(limited.browser())).toMatchObject({ kind: "page", status: 400 });
    expect(limited.requests).toEqual([]);
  });

  test("discovery names the feature only where it is on", async () => {
    const metadata = jsonBody(await service.call("GET", "/.well-known/oauth-authorization-server"));
    expect(metadata).toMatchObject({
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: expect.arrayContaining(["none"]),
    });
  });

  test("a blocked client is unknown, and its tokens end", async () => {
    const own = await openDocumentService();
    const granted = await signInWithDocument(own, own.browser());
    const [client] = (await own.manage("GET", `/api/v2/clients?external_client_id=${encodeURIComponent(documentUrl)}`)).body as readonly {
      client_id: string;
    }[];
    expect((await own.manage("PATCH", `/api/v2/clients/${client?.client_id ?? ""}`, { blocked: true })).status).toBe(200);
    expect((await own.userinfo(granted.access)).status).toBe(401);
    const refused = await own.exchange({ grant_type: "refresh_token", client_id: documentUrl, refresh_token: granted.refresh });
    expect(refused.status).toBe(401);
    const { length } = own.requests;
    own.clock.advance("2d");
    expect(await authorizeDocument(own.browser())).toMatchObject({ kind: "page", status: 400 });
    expect(own.requests).toHaveLength(length);
  });
});

describe("documents are cached", () => {
  test("for as long as their response allows, at least five minutes and at most a day", async () => {
    const own = await openDocumentService();
    const publish = (cacheControl: string) =>
      own.publish(documentUrl, Response.json(documentOf(), { headers: { "cache-control": cacheControl } }));
    const requestsAfter = async (wait: string) => {
      own.clock.advance(wait);
      loginState(await authorizeDocument(own.browser()));
      return own.requests.length;
    };
    publish("no-store");
    expect(await requestsAfter("1s")).toBe(1);
    expect(await requestsAfter("4m")).toBe(1);
    publish("max-age=3600");
    expect(await requestsAfter("2m")).toBe(2);
    expect(await requestsAfter("59m")).toBe(2);
    publish("public, max-age=99999999");
    expect(await requestsAfter("2m")).toBe(3);
    expect(await requestsAfter("23h")).toBe(3);
    expect(await requestsAfter("2h")).toBe(4);
  });

  test("parallel logins send one request", async () => {
    const own = await openDocumentService();
    await Promise.all(Array.from({ length: 32 }, async () => loginState(await authorizeDocument(own.browser()))));
    expect(own.requests).toEqual([documentUrl]);
    const { body } = await own.manage("GET", `/api/v2/clients?external_client_id=${encodeURIComponent(documentUrl)}`);
    expect(body).toHaveLength(1);
  });

  test("while the server of the client fails, tokens are refreshed and a new login is refused", async () => {
    const own = await openDocumentService();
    const granted = await signInWithDocument(own, own.browser());
    own.publish(documentUrl, () => {
      throw new TypeError("connection refused");
    });
    own.clock.advance("6m");
    expect(await authorizeDocument(own.browser())).toMatchObject({ kind: "page", status: 400 });
    const refreshed = await own.exchange({
      grant_type: "refresh_token",
      client_id: documentUrl,
      refresh_token: granted.refresh,
    });
    expect(refreshed.status).toBe(200);
  });
});

describe("consent", () => {
  test("is remembered for an https address, and asked again after the document names other addresses", async () => {
    const own = await openDocumentService();
    const browser = own.browser();
    await signInWithDocument(own, browser);
    successParameters(await authorizeDocument(browser, { prompt: "none" }));
    own.publish(documentUrl, documentOf({ redirect_uris: [redirectUri, "https://other.example.test/callback"] }));
    own.clock.advance("6m");
    expect(errorParameters(await authorizeDocument(browser, { prompt: "none" }))["error"]).toBe("consent_required");
    const state = loginState(await authorizeDocument(browser));
    expect(screenName(await getFlow(browser, state))).toBe("consent");
    successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
    successParameters(await authorizeDocument(browser, { prompt: "none" }));
  });

  test("is asked at every login of a program on the user's computer, because any program can use the address", async () => {
    const own = await openDocumentService();
    own.publish(documentUrl, documentOf({ redirect_uris: ["http://127.0.0.1/callback"] }));
    const browser = own.browser();
    const request = { redirect_uri: "http://127.0.0.1:51234/callback" };
    await signInWithDocument(own, browser, request);
    expect(errorParameters(await authorizeDocument(browser, { ...request, prompt: "none" }))["error"]).toBe("consent_required");
  });

  test("a document that changes between consent and code gives nobody else the code", async () => {
    const own = await openDocumentService();
    const browser = own.browser();
    const state = await reachConsent(own, browser);
    own.publish(documentUrl, documentOf({ redirect_uris: ["https://thief.example.test/callback"] }));
    own.clock.advance("6m");
    expect(await authorizeDocument(own.browser())).toMatchObject({ kind: "page", status: 400 });
    const answered = await readResult(await browser.get(`/u/login?${new URLSearchParams({ state })}`));
    expect(answered.kind).toBe("page");
    expect(JSON.stringify(answered)).not.toContain("code=");
  });
});

describe("refuses", () => {
  const refused = async (url: string, response?: object | Response | (() => Response)) => {
    const own = await openDocumentService();
    if (response !== undefined) own.publish(url, response);
    const result = await readResult(await own.browser().get(`/authorize?${new URLSearchParams(documentRequest({ client_id: url }))}`));
    expect(result.kind).toBe("page");
    expect((await own.manage("GET", "/api/v2/clients")).body).not.toContainEqual(
      expect.objectContaining({ external_metadata_type: "cimd" }),
    );
    return own.requests.length;
  };

  test.each([
    ["a query", "https://agent.example.test/client.json?x=1"],
    ["a fragment", "https://agent.example.test/client.json#x"],
    ["no path", "https://agent.example.test/"],
    ["a user name", "https://user@agent.example.test/client.json"],
    ["dot segments", "https://agent.example.test/a/../client.json"],
    ["encoded dot segments", "https://agent.example.test/a/%2e%2e/client.json"],
    ["a backslash", "https://agent.example.test\\client.json"],
    ["a port", "https://agent.example.test:8443/client.json"],
    ["a host in upper case", "https://Agent.example.test/client.json"],
    ["more than 120 characters", `https://agent.example.test/${"a".repeat(120)}`],
    ["the host of this service", "https://id.example.test/client.json"],
  ])("a URL with %s, without a request", async (_, url) => {
    expect(await refused(url)).toBe(0);
  });

  test.each<[string, object | Response]>([
    ["is a redirect", Response.redirect("https://elsewhere.example.test/client.json", 302)],
    ["has another status", Response.json(documentOf(), { status: 203 })],
    ["is HTML", new Response(JSON.stringify(documentOf()), { headers: { "content-type": "text/html" } })],
    ["is not JSON", new Response("{", { headers: { "content-type": "application/json" } })],
    ["is a list", new Response("[]", { headers: { "content-type": "application/json" } })],
    ["is longer than 5 kB", documentOf({ contacts: ["x".repeat(6000)] })],
    ["names another client id", documentOf({ client_id: "https://agent.example.test/other.json" })],
    ["names no redirect URI", { client_id: documentUrl, client_name: "Agent" }],
    ["has a secret", documentOf({ client_secret: "hunter2hunter2" })],
    ["authenticates with a secret", documentOf({ token_endpoint_auth_method: "client_secret_basic" })],
    ["contains a private key", documentOf({ jwks: { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y", d: "d" }] } })],
    [
      "names keys of another host",
      documentOf({ token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://keys.example.test/jwks" }),
    ],
    ["names a redirect URI without TLS", documentOf({ redirect_uris: ["http://agent.example.test/callback"] })],
    ["names a pattern", documentOf({ redirect_uris: ["https://*.example.test/callback"] })],
    ["names a script", documentOf({ redirect_uris: ["javascript:alert(1)"] })],
    ["has a name with markup", documentOf({ client_name: "<b>Agent</b>" })],
  ])("a document that %s", async (_, response) => {
    expect(await refused(documentUrl, response)).toBe(1);
  });

  test("a document that never ends", async () => {
    expect(
      await refused(
        documentUrl,
        () =>
          new Response(new ReadableStream({ pull: (body) => body.error(new Error("longer than 1 MiB")) }), {
            headers: { "content-type": "application/json" },
          }),
      ),
    ).toBe(1);
  });

  test("a redirect URI that the document does not name, on a page", async () => {
    const result = await authorizeDocument(service.browser(), { redirect_uri: "https://thief.example.test/callback" });
    expect(result).toMatchObject({ kind: "page", status: 400 });
  });
});

test("strangers who name many documents are refused, and a client that users accepted is still read", async () => {
  const own = await openDocumentService({ limits: { clientDocumentsPerAddress: 3, clientDocumentsPerTenant: 5 } });
  await signInWithDocument(own, own.browser());
  const name = (i: number) => `https://agent.example.test/${i}.json`;
  const answers: number[] = [];
  for (let i = 0; i < 4; i++) {
    own.publish(name(i), documentOf({}, name(i)));
    const result = await own.browser().get(`/authorize?${new URLSearchParams(documentRequest({ client_id: name(i) }))}`);
    answers.push(result.status);
  }
  expect(answers).toEqual([303, 303, 429, 429]);
  own.clock.advance("6m");
  loginState(await authorizeDocument(own.browser()));
});

test("clients that no user accepted are limited: the oldest makes room, and a client that a user accepted never does", async () => {
  const own = await openDocumentService({ limits: { unusedClients: 2 } });
  await signInWithDocument(own, own.browser());
  const open = async (i: number) => {
    const url = `https://agent.example.test/${i}.json`;
    own.publish(url, documentOf({}, url));
    return (await own.browser().get(`/authorize?${new URLSearchParams(documentRequest({ client_id: url }))}`)).status;
  };
  expect([await open(1), await open(2), await open(3)]).toEqual([303, 303, 429]);
  own.clock.advance("11m");
  expect(await open(3)).toBe(303);
  const urls = ((await own.manage("GET", "/api/v2/clients?external_metadata_type=cimd")).body as readonly { external_client_id: string }[])
    .map(({ external_client_id: url }) => url)
    .toSorted();
  expect(urls).toEqual(["https://agent.example.test/2.json", "https://agent.example.test/3.json", documentUrl]);
});
