import { changeRow, lostRace } from "../../store/change-row.ts";
import type { JsonObject } from "../../store/value.ts";
import { invalidBody } from "../../model/settings.ts";
import { largestDocument } from "../../model/prompts/bodies.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** What kinds of documents are kept for the vendor's tools. */
export type DocumentKind = "page-template" | "partials" | "prompts" | "rendering";

/** A kept document; undefined where there is none. */
export async function findDocument({ data }: Tenant, kind: DocumentKind, name: string): Promise<JsonObject | undefined> {
  const [row] = await data.kept_documents.find({ where: { kind, name }, limit: 1 });
  return row?.content;
}

/**
 * Changes a kept document, or makes it. `change` is asked again where another change came first.
 * @returns what the document holds now, and whether this change made it.
 * @throws {PosternError} `invalid_request` for more than may be kept, `conflict` where others came first each time.
 */
export async function changeDocument(
  tenant: Tenant,
  kind: DocumentKind,
  name: string,
  change: (stored: JsonObject) => JsonObject,
  limit = largestDocument,
): Promise<{ readonly content: JsonObject; readonly made: boolean }> {
  const next = (stored: JsonObject): JsonObject => bounded(change(stored), limit);
  const changed = await changeRow(tenant.data.kept_documents, { kind, name }, ({ content }) => ({
    content: next(content),
    updated_at: tenant.now(),
  }));
  if (changed.outcome === "changed") return { content: changed.row.content, made: false };
  const content = next({});
  const row = { kind, name, content, revision: 0, updated_at: tenant.now() };
  // Where a parallel change made it just now, this one is the caller's to repeat.
  if (changed.outcome === "absent" && (await tenant.data.kept_documents.insert([row]))) return { content, made: true };
  throw lostRace("document");
}

/** @throws {PosternError} `invalid_request` where its JSON has more bytes than this. */
export function bounded<Content extends JsonObject>(content: Content, limit: number): Content {
  if (new TextEncoder().encode(JSON.stringify(content)).byteLength <= limit) return content;
  throw invalidBody(`must be at most ${limit} bytes as JSON`);
}
