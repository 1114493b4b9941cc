import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { jsonBody } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import {
  codeGrant,
  errorParameters,
  loginState,
  openService,
  readResult,
  redirectOf,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import {
  audience,
  authorizeDocument,
  documentOf,
  documentRequest,
  documentUrl,
  offerAsDomainConnection,
  openDocumentService,
  reachConsent,
  redirectUri,
  signInWithDocument,
} from "./documents.ts";

test("a server that never responds is given five seconds, and other logins do not wait", async () => {
  const own = await openDocumentService({ testing: { setTimer: (milliseconds, run) => (setTimeout(run, milliseconds / 100), () => {}) } });
  const slow = "https://slow.example.test/client.json";
  own.publish(slow, () => new Promise<Response>(() => {}));
  const waiting = own.browser().get(`/authorize?${new URLSearchParams(documentRequest({ client_id: slow }))}`);
  loginState(await authorizeDocument(own.browser()));
  expect(await readResult(await waiting)).toMatchObject({ kind: "page", status: 400, html: expect.stringContaining("could not be read") });
});

test("a document at a private address is not requested, whether the URL names the address or its name resolves to it", async () => {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.end(JSON.stringify(documentOf()));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const service = await openService();
  await service.manage("PATCH", "/api/v2/tenants/settings", { client_id_metadata_document_supported: true });
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "169.254.169.254", "10.0.0.1", "[::ffff:7f00:1]"]) {
    const query = new URLSearchParams(documentRequest({ client_id: `https://${host}/client.json` }));
    expect(await readResult(await service.browser().get(`/authorize?${query}`)), host).toMatchObject({ kind: "page", status: 400 });
  }
  expect(requests).toEqual([]);
});

test("a document on a host of this service is not requested: the issuer, a custom domain of any tenant, a subdomain of a tenant", async () => {
  const own = await openDocumentService({ subdomainRouting: { baseDomain: "tenants.example.test" } });
  await own.postern.seed({ tenantId: "other", domains: ["login.other.test"] });
  for (const host of ["id.example.test", "login.other.test", "acme.tenants.example.test"]) {
    const query = new URLSearchParams(documentRequest({ client_id: `https://${host}/client.json` }));
    expect(await readResult(await own.browser().get(`/authorize?${query}`)), host).toMatchObject({ kind: "page", status: 400 });
  }
  expect(own.requests).toEqual([]);
});

test("a token is for the requested resource: a code for one API is not exchanged for another, and other tenants' APIs are unknown", async () => {
  const own = await openDocumentService();
  const other = "https://other.example.test/mcp";
  await own.manage.create("/api/v2/resource-servers", { name: "Other", identifier: other, scopes: [{ value: "tools:read" }] });
  await own.manage.create("/api/v2/client-grants", { default_for: "third_party_clients", audience: other, scope: ["tools:read"] });
  const browser = own.browser();
  const state = await reachConsent(own, browser);
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  const exchanged = await own.exchange({ ...codeGrant({ clientId: documentUrl, redirectUri }, code), resource: other });
  expect(jsonBody(exchanged, 400)["error"]).toBe("invalid_target");
  const unknown = await authorizeDocument(browser, { resource: "https://api.of-another-tenant.test/" });
  expect(errorParameters(unknown)["error"]).toBe("invalid_target");
});

test("a client of a document is its own client at each tenant", async () => {
  const own = await openDocumentService();
  const granted = await signInWithDocument(own, own.browser());
  const elsewhere = await own.call("POST", "/oauth/token", {
    headers: { "tenant-id": "other" },
    body: { grant_type: "refresh_token", client_id: documentUrl, refresh_token: granted.refresh },
  });
  expect(elsewhere.status).toBe(401);
  const introspected = await own.call("POST", "/oauth/revoke", {
    headers: { "tenant-id": "other" },
    body: { client_id: documentUrl, token: granted.refresh },
  });
  expect(introspected.status).toBe(401);
  const refreshed = await own.exchange({ grant_type: "refresh_token", client_id: documentUrl, refresh_token: granted.refresh });
  expect(refreshed.status).toBe(200);
});

test("a program cannot use the code of another program on the same computer", async () => {
  const own = await openDocumentService();
  own.publish(documentUrl, documentOf({ redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"] }));
  const browser = own.browser();
  const state = await reachConsent(own, browser, { redirect_uri: "http://127.0.0.1:50001/callback" });
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  const stolen = codeGrant({ clientId: documentUrl, redirectUri: "http://127.0.0.1:50002/callback" }, code);
  expect(jsonBody(await own.exchange(stolen), 400)["error"]).toBe("invalid_grant");
  const unproven = codeGrant({ clientId: documentUrl, redirectUri: "http://127.0.0.1:50001/callback" }, code);
  expect((await own.exchange({ ...unproven, code_verifier: "x".repeat(43) })).status).toBe(400);
});

test("a request for a scope without a grant is refused, and the Management API has none for such clients", async () => {
  const own = await openDocumentService();
  const browser = own.browser();
  await signInWithDocument(own, browser);
  const management = await authorizeDocument(browser, { resource: `${own.postern.issuer}api/v2/`, scope: "read:users", prompt: "none" });
  expect(errorParameters(management)["error"]).toBe("access_denied");
  await own.manage.create("/api/v2/resource-servers", {
    name: "Private",
    identifier: "https://private.example.test/",
    scopes: [{ value: "a" }],
  });
  const ungranted = await authorizeDocument(browser, { resource: "https://private.example.test/", scope: "a", prompt: "none" });
  expect(errorParameters(ungranted)["error"]).toBe("access_denied");
});

test("a document that is cached costs no statement more than the client of an administrator", async () => {
  const data = countingAdapter(createMemoryAdapter({ strict: true }));
  const own = await openDocumentService({ data });
  const app = await own.register({ callbacks: [redirectUri], is_first_party: false });
  await offerAsDomainConnection(own);
  const costOf = async (clientId: string) => {
    const parameters = documentRequest({ client_id: clientId, resource: audience });
    const browser = own.browser();
    const open = () => browser.get(`/authorize?${new URLSearchParams(parameters)}`);
    loginState(await readResult(await open()));
    return data.costOf(open);
  };
  const ordinary = await costOf(app.clientId);
  expect(await costOf(documentUrl)).toEqual(ordinary);
  expect(own.requests).toEqual([documentUrl]);
});
