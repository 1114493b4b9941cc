import { sealOf } from "../../crypto/seal.ts";
import { sealMembers } from "../../crypto/sealed-json.ts";
import { findOne } from "../../store/find-one.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { JsonObject } from "../../store/value.ts";
import { invalidBody, mergeSettings } from "../../model/settings.ts";
import { maximumDocumentBytes } from "../../model/prompts/bodies.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

type DocumentRow = Row<"stored_documents">;

/** The kinds of documents that are stored for compatibility with Auth0's tools. */
type DocumentKind = "factor-provider" | "page-template" | "partials" | "prompts" | "rendering";

/** A stored document. */
export interface StoredDocument {
  readonly content: JsonObject;
  /** The encrypted secrets by name. No response may contain them. */
  readonly secrets: JsonObject;
}

/** A change to a document. */
interface DocumentChange {
  /** The content after the change. */
  readonly content: JsonObject;
  /** Secrets to encrypt, by name. `null` removes a secret; a secret that is omitted stays stored. */
  readonly secrets?: JsonObject;
}

/** Returns a stored document. It is empty if it does not exist. */
export async function findDocument({ data }: RequestTenant, kind: DocumentKind, name: string): Promise<StoredDocument> {
  const row = await findOne(data.stored_documents, { kind, name });
  return toDocument(row);
}

/**
 * Updates a stored document, or creates it. If another request changed the document in the meantime, `change` runs
 * again. Does not decrypt stored secrets, so a secret can be replaced even if no key can decrypt the old one.
 * @returns the document, and whether this call created it.
 * @throws {PosternError} `invalid_request` if the content is too large, `conflict` if every attempt conflicts with
 * another change.
 */
export async function changeDocument(
  tenant: RequestTenant,
  kind: DocumentKind,
  name: string,
  change: (stored: StoredDocument) => DocumentChange,
  { limit = maximumDocumentBytes, noun = "document" } = {},
): Promise<StoredDocument & { readonly made: boolean }> {
  const { stored_documents: documents } = tenant.data;
  const next = async (stored: StoredDocument): Promise<Omit<DocumentRow, "kind" | "name" | "revision">> => {
    const { content, secrets = {} } = change(stored);
    const placeOf = (member: string) => sealedPlaceOf("stored_documents", tenant.id, `${kind}/${name}`, member);
    const merged = mergeSettings(stored.secrets, await sealMembers(tenant, placeOf, secrets));
    const texts = Object.values(merged).map(String);
    return {
      content: requireMaximumBytes(content, limit),
      secrets: texts.length === 0 ? null : merged,
      seal: sealOf(tenant, texts),
      updated_at: tenant.now(),
    };
  };
  const changed = await changeRow(documents, { kind, name }, (row) => next(toDocument(row)));
  if (changed.outcome === "changed") return { ...toDocument(changed.row), made: false };
  const row = { kind, name, ...(await next(toDocument(undefined))), revision: 0 };
  // If a concurrent request has just created the document, the caller must retry.
  if (changed.outcome === "absent" && (await documents.insert([row]))) return { ...toDocument(row), made: true };
  throw lostRace(noun);
}

function toDocument(row: DocumentRow | undefined): StoredDocument {
  return { content: row?.content ?? {}, secrets: row?.secrets ?? {} };
}

/**
 * Returns the content if its JSON has at most `limit` bytes.
 * @throws {PosternError} `invalid_request` if the JSON is larger.
 */
export function requireMaximumBytes<Content extends JsonObject>(content: Content, limit: number): Content {
  if (new TextEncoder().encode(JSON.stringify(content)).byteLength <= limit) return content;
  throw invalidBody(`must be at most ${limit} bytes as JSON`);
}
