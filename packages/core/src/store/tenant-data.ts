import type { AnyRow, Collection, Collections, Match } from "./contract.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type Row, type TenantCollectionName } from "./schema.ts";
import type { Value } from "./value.ts";

/**
 * The data of one tenant. Rows, conditions and changes are without `tenant_id`: the scope adds it to every query and strips it from every read,
 * so that a handler cannot reach another tenant, not even by mistake. A row that is read is compared first: a store that answers with another tenant's
 * is not believed ({@link ForeignRowError}).
 *
 * An empty condition reads or counts all of the tenant's rows, page by page; it never changes or removes anything.
 *
 * A row whose removal has begun (`deleting_at` is set) is absent for reads and updates, unless the condition names `deleting_at`.
 */
export type TenantData = { readonly [Name in TenantCollectionName]: Collection<Row<Name>> } & {
  /** Whose data this is. What is sealed is bound to it. */
  readonly tenantId: string;
};

/**
 * A store answered a question of one tenant with a row of another, or without saying whose it is: a filter of the adapter is broken. Nothing of the answer is used.
 */
export class ForeignRowError extends Error {
  override readonly name = "ForeignRowError";
}

/** Called after each write that changed something, with the collection's name: how cached copies are dropped. */
export type OnWrite = (collection: TenantCollectionName) => void;

/** Puts one tenant's scope around the collections of an adapter. */
export function tenantData(collections: Collections, tenantId: string, onWrite: OnWrite = () => {}): TenantData {
  const scoped: { [name: string]: unknown } = { tenantId };
  for (const description of Object.values(schema)) {
    if (description.scope !== "tenant") continue;
    const { name } = description;
    // Made on first use: a request touches two or three of some thirty collections.
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
  // Every tenant collection of the schema was defined above, each with the rows that its description says.
  return scoped as TenantData;
}

function scopedCollection(description: CollectionDescription, inner: Collection, tenantId: string, onWrite: () => void): Collection {
  const hidesDeleting = Object.hasOwn(description.fields, "deleting_at");

  const refuse = (): never => {
    throw new TypeError(`${description.name}: tenant_id comes from the scope and cannot be named`);
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
    if (Object.keys(where).length === 0) throw new TypeError(`${description.name}: an empty condition would change everything`);
  };
  const living = (where: Match<AnyRow>): Match<AnyRow> =>
    hidesDeleting && !Object.hasOwn(where, "deleting_at") ? { ...inTenant(where), deleting_at: null } : inTenant(where);

  const believed = ({ tenant_id: owner, ...row }: AnyRow): AnyRow => {
    if (owner === tenantId) return row;
    throw new ForeignRowError(`${description.name}: the store answered tenant '${tenantId}' with a row of ${describeOwner(owner)}`);
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
      const rows = await inner.find({ ...query, ...fields, where: living(query.where) });
      return rows.map(believed);
    },
    count: async (where, filter) => inner.count(living(where), filter),
    update: async (where, change) => {
      refuseTenant(change.set ?? {});
      refuseTenant(change.add ?? {});
      refuseEmpty(where);
      const matched = await inner.update(living(where), change);
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
  return typeof owner === "string" ? `tenant '${owner}'` : "nobody";
}
