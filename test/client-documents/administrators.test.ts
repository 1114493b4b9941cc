import { beforeAll, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { loginState } from "../support/flow.ts";
import {
  authorizeDocument,
  documentOf,
  documentUrl,
  openDocumentService,
  redirectUri,
  signInWithDocument,
  type DocumentService,
} from "./documents.ts";

let service: DocumentService;
beforeAll(async () => {
  service = await openDocumentService();
});

const reference = { external_client_id: documentUrl };

test("a preview shows what a document says and stores nothing", async () => {
  service.publish(documentUrl, documentOf({ redirect_uris: [redirectUri, "https://other.example.test/callback"] }));
  expect(jsonBody(await service.manage("POST", "/api/v2/clients/cimd/preview", reference))).toEqual({
    validation: { valid: true, violations: [], warnings: [expect.stringContaining("https://other.example.test/callback")] },
    mapped_fields: {
      external_client_id: documentUrl,
      name: "Agent",
      app_type: "regular_web",
      callbacks: [redirectUri, "https://other.example.test/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
  });
  const clients = (await service.manage("GET", `/api/v2/clients?external_client_id=${encodeURIComponent(documentUrl)}`)).body;
  expect(clients).toEqual([]);
});

test("a preview of a document that cannot be used says why", async () => {
  const own = await openDocumentService();
  own.publish(documentUrl, documentOf({ redirect_uris: ["http://agent.example.test/callback"] }));
  const preview = jsonBody(await own.manage("POST", "/api/v2/clients/cimd/preview", reference));
  expect(preview).toMatchObject({ validation: { valid: false, violations: [expect.stringContaining("redirect_uris")] } });
  const unreadable = { external_client_id: "https://agent.example.test/missing.json" };
  const missing = jsonBody(await own.manage("POST", "/api/v2/clients/cimd/preview", unreadable));
  expect(missing).toMatchObject({ validation: { valid: false, violations: [expect.stringContaining("could not be read")] } });
  expect(jsonBody(await own.manage("POST", "/api/v2/clients/cimd/register", unreadable), 400)["error"]).toBe("invalid_request");
});

test("a registered client signs users in while the tenant accepts no documents of strangers, and its document is not read again", async () => {
  const own = await openDocumentService();
  await own.manage("PATCH", "/api/v2/tenants/settings", { client_id_metadata_document_supported: false });
  const created = await own.manage("POST", "/api/v2/clients/cimd/register", reference);
  const { client_id: id } = jsonBody(created, 201);
  expect(jsonBody(await own.manage("GET", `/api/v2/clients/${String(id)}`))).toMatchObject({
    external_client_id: documentUrl,
    external_metadata_created_by: "admin",
  });
  await signInWithDocument(own, own.browser());
  own.clock.advance("2d");
  loginState(await authorizeDocument(own.browser()));
  expect(own.requests).toHaveLength(1);

  own.publish(documentUrl, documentOf({ client_name: "Renamed" }));
  expect((await own.manage("POST", "/api/v2/clients/cimd/register", reference)).status).toBe(200);
  expect(jsonBody(await own.manage("GET", `/api/v2/clients/${String(id)}`))["name"]).toBe("Renamed");
});

test.each([
  ["an http URL", { external_client_id: "http://agent.example.test/client.json" }],
  ["a URL that is too long", { external_client_id: `https://agent.example.test/${"a".repeat(120)}` }],
  ["no URL", { external_client_id: "agent" }],
  ["nothing", {}],
  ["an unknown member", { ...reference, other: 1 }],
])("registering %s is refused", async (_, body) => {
  expect(jsonBody(await service.manage("POST", "/api/v2/clients/cimd/register", body), 400)["error"]).toBe("invalid_request");
});
