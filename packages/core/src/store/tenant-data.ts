import type { AnyRow, Collection, Collections, Match } from "./contract.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type Row, type TenantCollectionName } from "./schema.ts";
import type { Value } from "./value.ts";

/**
 * The data of one tenant. Rows, conditions and changes have no `tenant_id`: the scope adds it to every query and
 * removes it from every result, so that a handler cannot access another tenant, even by mistake. The scope also checks
 * each row that it reads, and throws a {@link ForeignRowError} if a store returns a row that belongs to another tenant.
 *
 * An empty condition reads or counts all rows of the tenant, page by page. Updates and deletes reject an empty
 * condition.
 *
 * If the deletion of a row has started (`deleting_at` is set), reads and updates treat the row as absent, unless the
 * condition names `deleting_at`.
 */
export type TenantData = { readonly [Name in TenantCollectionName]: Collection<Row<Name>> } & {
  /** The id of the tenant. Encrypted values are bound to it. */
  readonly tenantId: string;
};

/**
 * A store returned a row that belongs to another tenant or to none, because the adapter handles a condition
 * incorrectly. The result is discarded.
 */
class ForeignRowError extends Error {
  override readonly name = "ForeignRowError";
}

/** Called with the name of the collection after each write that changed something, to invalidate cached copies. */
type OnWrite = (collection: TenantCollectionName) => void;

/** Restricts the collections of an adapter to one tenant. */
export function tenantData(collections: Collections, tenantId: string, onWrite: OnWrite = () => {}): TenantData {
  const scoped: { [name: string]: unknown } = { tenantId };
  for (const description of Object.values(schema)) {
    if (description.scope !== "tenant") continue;
    const { name } = description;
    // Each collection is created on first use: a request uses two or three of about thirty collections.
    Object.defineProperty(scoped, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = scopedCollection(description, collections[name] as unknown as Collection, tenantId, () => onWrite(name));
        Object.defineProperty(scoped, name, { value, enumerable: true });
        return value;
      },
    });
  }
  // Every tenant collection of the schema was defined above, with the rows of its description.
  return scoped as TenantData;
}

function scopedCollection(description: CollectionDescription, inner: Collection, tenantId: string, onWrite: () => void): Collection {
  const hidesDeleting = Object.hasOwn(description.fields, "deleting_at");

  const refuse = (): never => {
    throw new TypeError(`${description.name}: tenant_id is set by the scope and must not be passed`);
  };
  const refuseTenant = (object: object): void => {
    if (Object.hasOwn(object, "tenant_id")) refuse();
  };
  const refuseTenantIn = (names: readonly string[] | undefined): void => {
    if (names?.includes("tenant_id") === true) refuse();
  };
  const inTenant = (where: Match<AnyRow>): Match<AnyRow> => {
    refuseTenant(where);
    return { tenant_id: tenantId, ...where };
  };
  const refuseEmpty = (where: Match<AnyRow>): void => {
    if (Object.keys(where).length === 0) throw new TypeError(`${description.name}: an empty condition would change every row`);
  };
  const notDeleting = (where: Match<AnyRow>): Match<AnyRow> => {
    if (!hidesDeleting || Object.hasOwn(where, "deleting_at")) return inTenant(where);
    refuseTenant(where);
    return { tenant_id: tenantId, ...where, deleting_at: null };
  };

  const requireOwnRow = ({ tenant_id: owner, ...row }: AnyRow): AnyRow => {
    if (owner === tenantId) return row;
    throw new ForeignRowError(
      `${description.name}: the store returned a row for tenant '${tenantId}' that belongs to ${describeOwner(owner)}`,
    );
  };

  return {
    ...(inner.filters !== undefined && { filters: inner.filters }),
    insert: async (rows) => {
      rows.forEach(refuseTenant);
      const inserted = await inner.insert(rows.map((row) => ({ ...row, tenant_id: tenantId })));
      if (inserted) onWrite();
      return inserted;
    },
    find: async (query) => {
      refuseTenantIn(query.orderBy?.fields);
      refuseTenantIn(query.fields);
      const fields = query.fields && { fields: [...query.fields, "tenant_id"] };
      const rows = await inner.find({ ...query, ...fields, where: notDeleting(query.where) });
      return rows.map(requireOwnRow);
    },
    count: async (where, filter) => inner.count(notDeleting(where), filter),
    update: async (where, change) => {
      refuseTenant(change.set ?? {});
      refuseTenant(change.add ?? {});
      refuseEmpty(where);
      const matched = await inner.update(notDeleting(where), change);
      if (matched > 0) onWrite();
      return matched;
    },
    delete: async (where) => {
      refuseEmpty(where);
      const removed = await inner.delete(inTenant(where));
      if (removed > 0) onWrite();
      return removed;
    },
  };
}

function describeOwner(owner: Value | undefined): string {
  return typeof owner === "string" ? `tenant '${owner}'` : "no tenant";
}
