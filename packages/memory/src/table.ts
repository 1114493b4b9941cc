import { storedKey, storedUnique, type AnyRow, type CollectionDescription, type Match } from "@postern/core/adapter";

/**
 * The index of a key or unique key, which finds rows by the values of its fields. A row with null in one of the fields
 * is not in the index, and so conflicts with no other row.
 */
interface UniqueIndex {
  readonly fields: readonly string[];
  readonly rows: Map<string, AnyRow>;
}

/** The rows of one collection, indexed by the key, by each unique key and by tenant. */
export class Table {
  /** The indexes of the key and of the unique keys. The key comes first. */
  readonly #unique: readonly UniqueIndex[];
  /** The rows by tenant. Rows without a tenant are all under `undefined`. */
  readonly #tenants = new Map<unknown, Set<AnyRow>>();

  constructor(description: CollectionDescription) {
    this.#unique = [storedKey(description), ...storedUnique(description)].map((fields) => ({ fields, rows: new Map() }));
  }

  /** Returns a superset of the matching rows, as small as the indexes allow. */
  candidates(where: Match<AnyRow>): AnyRow[] {
    for (const { fields, rows } of this.#unique) {
      const wanted = wantedKeys(fields, where);
      if (wanted !== undefined) return wanted.map((key) => rows.get(key)).filter((row) => row !== undefined);
    }
    const tenant = where["tenant_id"];
    if (typeof tenant === "string") return [...(this.#tenants.get(tenant) ?? [])];
    return [...this.#tenants.values()].flatMap((rows) => [...rows]);
  }

  /**
   * Removes some rows and adds others. Inserts, updates, deletes and rollbacks all use it.
   * @returns false if a key is already in use; then nothing was changed.
   */
  replace(before: readonly AnyRow[], after: readonly AnyRow[]): boolean {
    before.forEach((row) => this.#remove(row));
    for (const [i, row] of after.entries()) {
      if (this.#add(row)) continue;
      after.slice(0, i).forEach((added) => this.#remove(added));
      before.forEach((removed) => this.#add(removed));
      return false;
    }
    return true;
  }

  #add(row: AnyRow): boolean {
    const entries = this.#unique.map(({ fields, rows }) => ({ rows, key: keyOf(fields, row) }));
    if (entries.some(({ rows, key }) => key !== undefined && rows.has(key))) return false;
    for (const { rows, key } of entries) if (key !== undefined) rows.set(key, row);
    const tenant = this.#tenants.get(row["tenant_id"]) ?? new Set();
    this.#tenants.set(row["tenant_id"], tenant.add(row));
    return true;
  }

  #remove(row: AnyRow): void {
    for (const { fields, rows } of this.#unique) {
      const key = keyOf(fields, row);
      if (key !== undefined) rows.delete(key);
    }
    const tenant = this.#tenants.get(row["tenant_id"]);
    tenant?.delete(row);
    if (tenant?.size === 0) this.#tenants.delete(row["tenant_id"]);
  }
}

/**
 * Returns the values of some fields as one text. The texts of two rows are equal only if all values are equal.
 * Undefined if one of the values is null.
 */
function keyOf(fields: readonly string[], row: AnyRow): string | undefined {
  const values = fields.map((field) => row[field]);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

/**
 * Returns the keys that a condition allows, if it compares every field for equality or with a list of values. Otherwise
 * undefined.
 */
function wantedKeys(fields: readonly string[], where: Match<AnyRow>): string[] | undefined {
  let lists: unknown[][] = [[]];
  for (const field of fields) {
    const condition = where[field];
    if (condition === undefined || condition === null) return undefined;
    const values = typeof condition !== "object" ? [condition] : "in" in condition ? condition.in : undefined;
    if (values === undefined) return undefined;
    lists = lists.flatMap((list) => [...new Set(values)].map((value) => [...list, value]));
  }
  return lists.map((list) => JSON.stringify(list));
}
