import { changeRow, lostRace } from "../../store/change-row.ts";
import type { JsonObject } from "../../store/value.ts";
import { invalidBody } from "../../model/settings.ts";
import { maximumDocumentBytes } from "../../model/prompts/bodies.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The kinds of documents that are stored for compatibility with Auth0's tools. */
type DocumentKind = "page-template" | "partials" | "prompts" | "rendering";

/** Returns the content of a stored document, or undefined if the document does not exist. */
export async function findDocument({ data }: RequestTenant, kind: DocumentKind, name: string): Promise<JsonObject | undefined> {
  const [row] = await data.stored_documents.find({ where: { kind, name }, limit: 1 });
  return row?.content;
}

/**
 * Updates a stored document, or creates it. If another request changed the document in the meantime, `change` runs
 * again.
 * @returns the content of the document, and whether this call created it.
 * @throws {PosternError} `invalid_request` if the content is too large, `conflict` if every attempt conflicts with
 * another change.
 */
export async function changeDocument(
  tenant: RequestTenant,
  kind: DocumentKind,
  name: string,
  change: (stored: JsonObject) => JsonObject,
  limit = maximumDocumentBytes,
): Promise<{ readonly content: JsonObject; readonly made: boolean }> {
  const next = (stored: JsonObject): JsonObject => requireMaximumBytes(change(stored), limit);
  const changed = await changeRow(tenant.data.stored_documents, { kind, name }, ({ content }) => ({
    content: next(content),
    updated_at: tenant.now(),
  }));
  if (changed.outcome === "changed") return { content: changed.row.content, made: false };
  const content = next({});
  const row = { kind, name, content, revision: 0, updated_at: tenant.now() };
  // If a concurrent request has just created the document, the caller must retry.
  if (changed.outcome === "absent" && (await tenant.data.stored_documents.insert([row]))) return { content, made: true };
  throw lostRace("document");
}

/**
 * Returns the content if its JSON has at most `limit` bytes.
 * @throws {PosternError} `invalid_request` if the JSON is larger.
 */
export function requireMaximumBytes<Content extends JsonObject>(content: Content, limit: number): Content {
  if (new TextEncoder().encode(JSON.stringify(content)).byteLength <= limit) return content;
  throw invalidBody(`must be at most ${limit} bytes as JSON`);
}
