import { PosternError, isPosternError } from "../../errors.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Match } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import { internalClientId } from "../../model/clients/client-id.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { externalSettings } from "../../model/clients/external.ts";
import { mergeSettings } from "../../model/settings.ts";
import { externalClient, needsNewConsent, type ClientDocument } from "../../model/clients/registration.ts";
import type { Installation } from "../installation.ts";
import type { RequestTenant } from "../tenant.ts";
import { documentUrlProblem, isThisMachine } from "./document-url.ts";
import { DocumentUnavailableError } from "./fetch-public.ts";
import { readDocument } from "./read-document.ts";
import { admitDocument, makeRoomForClient } from "./stranger-limits.ts";

/**
 * Returns the client that a metadata document describes, for a new login. The document is fetched unless it is cached,
 * and the client's record follows it. All other requests, such as a refresh, use the record alone, so that an outage of
 * the client's server does not end the access of its users. A client that an administrator registered or pinned is not read again.
 * @returns undefined if the tenant does not accept such clients, or blocked this one.
 * @throws {PosternError} `invalid_request` if the URL or the document is not valid or the document cannot be fetched,
 * `TOO_MANY_REQUESTS` if strangers named too many documents.
 */
export async function clientOfDocument(
  installation: Installation,
  tenant: RequestTenant,
  url: string,
): Promise<RegisteredClient | undefined> {
  const id = await internalClientId(url);
  const known = await tenant.client(id);
  if (known !== undefined && known.record.external_metadata_created_by !== "client") return known;
  const { client_id_metadata_document_supported: supported, client_id_metadata_document_domains: domains } = tenant.settings;
  if (!supported) return undefined;
  const document =
    installation.processState.clientDocuments.fresh(url) ?? (await loadDocument(installation, tenant, url, { known, domains }));
  if (document === undefined) return undefined;
  if (known === undefined) {
    await makeRoomForClient(installation, tenant);
    await insertClient(tenant, { id, url, document, createdBy: "client" });
  } else if (documentHash(known.record) !== document.hash)
    await followDocument(tenant, { client_id: id, external_metadata_created_by: "client" }, document);
  return tenant.client(id);
}

/** Reads the document of a client for an administrator. The limits for strangers do not apply. @throws {PosternError} */
export async function documentForAdministrator(installation: Installation, tenant: RequestTenant, url: string): Promise<ClientDocument> {
  await checkUrl(tenant, url);
  return fetchDocument(installation, url);
}

/**
 * Stores the client that a document describes, for an administrator.
 * @returns the client's id, and whether the client is new.
 */
export async function registerDocumentClient(
  tenant: RequestTenant,
  url: string,
  document: ClientDocument,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const id = await internalClientId(url);
  const isNew = await insertClient(tenant, { id, url, document, createdBy: "admin" });
  const registered = { external_metadata_type: "cimd", external_metadata_created_by: "admin", unused_since: null };
  if (!isNew) await followDocument(tenant, { client_id: id }, document, registered);
  return { id, isNew };
}

/** The context of a document that must be fetched. */
interface Unread {
  readonly known: RegisteredClient | undefined;
  /** The hosts whose documents the tenant accepts; empty for all. */
  readonly domains: readonly string[];
}

/** Fetches a document for a stranger's request. Everything that costs nothing is checked first. */
async function loadDocument(
  installation: Installation,
  tenant: RequestTenant,
  url: string,
  { known, domains }: Unread,
): Promise<ClientDocument | undefined> {
  await checkUrl(tenant, url);
  if (domains.length > 0 && !domains.includes(new URL(url).hostname)) return undefined;
  if (known === undefined) {
    const blocked = { client_id: await internalClientId(url), blocked_at: { exists: true } } as const;
    if ((await tenant.data.clients.count(blocked)) > 0) return undefined;
  }
  // A parallel login may have fetched it while this one read the store.
  const fetched = installation.processState.clientDocuments.fresh(url);
  if (fetched !== undefined) return fetched;
  // Strangers must not use up the limit of clients that users have accepted: their documents are fetched rarely.
  const isAccepted = known !== undefined && known.record.unused_since === null;
  if (!isAccepted && !installation.processState.clientDocuments.isLoading(url)) admitDocument(installation, tenant);
  return fetchDocument(installation, url);
}

async function fetchDocument(installation: Installation, url: string): Promise<ClientDocument> {
  try {
    return await installation.processState.clientDocuments.load(url, () => readDocument(installation, url));
  } catch (error) {
    if (error instanceof DocumentUnavailableError) {
      const { logger } = installation.host;
      logger.log({ level: "warn", event: "client_document_unavailable", error });
      throw new PosternError("invalid_request", `the metadata document ${url} could not be read`, { cause: error });
    }
    if (!isPosternError(error)) throw error;
    throw new PosternError("invalid_request", `the metadata document ${url} is not valid: ${error.message}`, { cause: error });
  }
}

/** @throws {PosternError} `invalid_request` if the URL must not be fetched. */
async function checkUrl(tenant: RequestTenant, url: string): Promise<void> {
  const problem = documentUrlProblem(url);
  if (problem !== undefined) throw new PosternError("invalid_request", `'client_id' ${problem}`);
  const { hostname, host } = new URL(url);
  // A page of this service whose content a visitor chooses could otherwise describe a client.
  const isOwn = isThisMachine(hostname) ? host === tenant.urls.host : await tenant.directory.isHostOfService(hostname);
  if (isOwn) throw new PosternError("invalid_request", "'client_id' must not be a URL of this service");
}

interface NewDocumentClient {
  readonly id: string;
  readonly url: string;
  readonly document: ClientDocument;
  readonly createdBy: "admin" | "client";
}

/** Inserts the record of a client. @returns false if it exists already. */
function insertClient(tenant: RequestTenant, { id, url, document, createdBy }: NewDocumentClient): Promise<boolean> {
  const now = tenant.now();
  const record: Row<"clients"> = {
    ...externalClient(document.columns),
    client_id: id,
    external_client_id: url,
    external_metadata_type: "cimd",
    external_metadata_created_by: createdBy,
    unused_since: createdBy === "admin" ? null : now,
    secret_hash: null,
    settings: { ...document.columns.settings, document_hash: document.hash },
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  return tenant.data.clients.insert([record]);
}

/** Changes a client's record to what its document says now. If parallel requests win every race, a later login does it. */
async function followDocument(
  tenant: RequestTenant,
  where: Match<Row<"clients">>,
  { columns, hash }: ClientDocument,
  more: Partial<Row<"clients">> = {},
): Promise<void> {
  const change = (row: Row<"clients">): Partial<Row<"clients">> => ({
    ...columns,
    ...more,
    settings: mergeSettings(row.settings, {
      jwks: null,
      jwks_uri: null,
      userinfo_signed_response_alg: null,
      ...columns.settings,
      document_hash: hash,
    }),
    ...(needsNewConsent(row, columns) && { consents_since: tenant.now() }),
    updated_at: tenant.now(),
  });
  await changeRow(tenant.data.clients, where, change);
}

function documentHash({ settings }: Row<"clients">): string | undefined {
  return externalSettings(settings).document_hash;
}
