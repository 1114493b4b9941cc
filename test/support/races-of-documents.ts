import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import {
  authorizeDocument,
  documentOf,
  documentUrl,
  openDocumentService,
  redirectUri,
  signInWithDocument,
  type DocumentService,
} from "../client-documents/documents.ts";
import { list } from "./api.ts";
import { errorParameters } from "./flow.ts";

/** Adds the tests for parallel logins of a client that has a metadata document, for any store. */
export function testDocumentRaces(open: () => Promise<DataAdapter>): void {
  let service: DocumentService;

  beforeAll(async () => {
    service = await openDocumentService({ data: await open() });
  });

  const openLogins = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await authorizeDocument(service.browser())).kind));
  const clientsOf = async () => list(await service.manage("GET", "/api/v2/clients?external_metadata_type=cimd"));

  test("thirty-two parallel first logins of a client read its document once, and store one record", async () => {
    expect(new Set(await openLogins(32))).toEqual(new Set(["login"]));
    expect(service.requests).toEqual([documentUrl]);
    expect(await clientsOf()).toMatchObject([{ external_client_id: documentUrl, callbacks: [redirectUri] }]);
  });

  test("parallel logins after a change of the document store the change once, and users consent again", async () => {
    const browser = service.browser();
    await signInWithDocument(service, browser);
    const callbacks = [redirectUri, "https://agent.example.test/second"];
    service.publish(documentUrl, documentOf({ redirect_uris: callbacks }));
    service.clock.advance("6m");
    expect(new Set(await openLogins(32))).toEqual(new Set(["login"]));
    expect(service.requests).toEqual([documentUrl, documentUrl]);
    expect(await clientsOf()).toMatchObject([{ callbacks }]);
    expect(errorParameters(await authorizeDocument(browser, { prompt: "none" }))["error"]).toBe("consent_required");
  });
}
