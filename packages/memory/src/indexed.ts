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
 * Throws if no declared index supports a query, so that a test finds a query that would be slow in production.
 *
 * @throws {TypeError} that names the collection, the condition and the order.
 */
export function checkIndexed(description: CollectionDescription, where: Match<AnyRow>, order?: Order<AnyRow>): void {
  if (isIndexed(description, where, order)) return;
  const sorted = order === undefined ? "" : ` ordered by ${order.fields.join(", ")}`;
  throw new TypeError(`no index of ${description.name} supports ${JSON.stringify(where)}${sorted}`);
}

/**
 * Whether a declared index supports a query. A field is *pinned* if the condition compares it for equality, with a list
 * of values (`in`) or with null. A pinned field *selects* unless it is compared with null, '' or false, because most
 * rows have these values. The rules:
 *
 * 1. If every field of the key or of a unique key is pinned, few rows match, and any order is supported.
 * 2. Otherwise one index must support both the condition and the order. It consists, from left to right, of `tenant_id`
 *    (if the index starts with it; it must be pinned), the *prefix* (as many pinned fields as possible), and the fields
 *    of the order. Pinned fields are ignored in the order, because they are constant.
 * 3. If any field except the tenant selects, a field in the prefix must select. If no field selects, the query is
 *    for a list and reads along the index. In a tenant collection, an index that does not start with the tenant then
 *    needs a range or a similar condition on its first field. `sweep` finds expired rows with such an index.
 * 4. All other conditions (ranges, `prefix`, `contains`, `exists`, more pinned fields, and any `filter`) are evaluated
 *    on the rows that the index returns.
 */
export function isIndexed(description: CollectionDescription, where: Match<AnyRow>, order?: Order<AnyRow>): boolean {
  const unique = [storedKey(description), ...storedUnique(description)];
  if (unique.some((fields) => fields.every((field) => isPinned(where[field])))) return true;
  return [...unique, ...storedIndexes(description)].some((index) => supports(description, index, where, order?.fields ?? []));
}

function supports(description: CollectionDescription, index: readonly string[], where: Match<AnyRow>, order: readonly string[]): boolean {
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
  return hasTenant || description.scope === "global" || fields.slice(0, 1).some((field) => hasOtherCondition(where[field]));
}

function isPinned(condition: Match<AnyRow>[string] | undefined): boolean {
  return condition !== undefined && (condition === null || typeof condition !== "object" || "in" in condition);
}

function hasOtherCondition(condition: Match<AnyRow>[string] | undefined): boolean {
  return condition !== undefined && !isPinned(condition);
}

function selects(condition: Match<AnyRow>[string] | undefined): boolean {
  return isPinned(condition) && condition !== null && condition !== "" && condition !== false;
}
