import {
  storedIndexes,
  storedKey,
  storedUnique,
  type AnyRow,
  type CollectionDescription,
  type Match,
  type Order,
} from "@postern/core/adapter";

/**
 * Throws where no declared index answers a question, so that a slow query is found in a test and not in production.
 *
 * @throws {TypeError} naming the collection, the condition and the order.
 */
export function checkIndexed(description: CollectionDescription, where: Match<AnyRow>, order?: Order<AnyRow>): void {
  if (isIndexed(description, where, order)) return;
  const sorted = order === undefined ? "" : ` ordered by ${order.fields.join(", ")}`;
  throw new TypeError(`no index of ${description.name} answers ${JSON.stringify(where)}${sorted}`);
}

/**
 * Whether a declared index answers a question. A field is *pinned* where the condition says what it equals, which values it is among (`in`),
 * or that it is null. A pinned field *selects*, unless it is pinned to null, '' or false: those are guards, true of most rows. The rule:
 *
 * 1. Where every field of the key or of a unique key is pinned, the rows are few and may come in any order.
 * 2. Otherwise one index must serve both the condition and the order. Read from its left, it has: `tenant_id`, pinned, if it begins with it;
 *    then the *prefix*, pinned fields, as many as follow; then the fields of the order. Pinned fields are left out of the order, for they decide nothing.
 * 3. Where any field besides the tenant selects, one in the prefix must. Where none does, the question is for a list, which reads along the index;
 *    in a tenant's collection an index without the tenant then needs a condition on its first field that is no guard: so `sweep` finds what expired.
 * 4. All other conditions (ranges, `prefix`, `contains`, `exists`, more pinned fields, and any `filter`) are looked at in the rows found so.
 */
export function isIndexed(description: CollectionDescription, where: Match<AnyRow>, order?: Order<AnyRow>): boolean {
  const unique = [storedKey(description), ...storedUnique(description)];
  if (unique.some((fields) => fields.every((field) => isPinned(where[field])))) return true;
  return [...unique, ...storedIndexes(description)].some((index) => serves(description, index, where, order?.fields ?? []));
}

function serves(description: CollectionDescription, index: readonly string[], where: Match<AnyRow>, order: readonly string[]): boolean {
  const hasTenant = index[0] === "tenant_id";
  if (hasTenant && !isPinned(where["tenant_id"])) return false;
  const fields = hasTenant ? index.slice(1) : index;

  const open = (field: string): boolean => !isPinned(where[field]);
  const end = fields.findIndex(open);
  const prefix = end === -1 ? fields : fields.slice(0, end);
  const rest = fields.slice(prefix.length).filter(open);
  if (!order.filter(open).every((field, i) => field === rest[i])) return false;

  if (prefix.some((field) => selects(where[field]))) return true;
  if (Object.keys(where).some((field) => field !== "tenant_id" && selects(where[field]))) return false;
  return hasTenant || description.scope === "global" || fields.slice(0, 1).some((field) => isOpenButAsked(where[field]));
}

function isPinned(condition: Match<AnyRow>[string] | undefined): boolean {
  return condition !== undefined && (condition === null || typeof condition !== "object" || "in" in condition);
}

function isOpenButAsked(condition: Match<AnyRow>[string] | undefined): boolean {
  return condition !== undefined && !isPinned(condition);
}

function selects(condition: Match<AnyRow>[string] | undefined): boolean {
  return isPinned(condition) && condition !== null && condition !== "" && condition !== false;
}
