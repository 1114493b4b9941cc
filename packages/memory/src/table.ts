import { storedKey, storedUnique, type AnyRow, type CollectionDescription, type Match } from "@postern/core/adapter";

/** A unique key: the rows under the values of its fields. A row with a null in one of them is not in it, and so conflicts with nothing. */
interface UniqueIndex {
  readonly fields: readonly string[];
  readonly rows: Map<string, AnyRow>;
}

/** The rows of one collection, found by its key, by each unique key and by tenant without looking at the others. */
export class Table {
  /** The key first. */
  readonly #unique: readonly UniqueIndex[];
  /** Where rows have no tenant, they are all under `undefined`. */
  readonly #tenants = new Map<unknown, Set<AnyRow>>();

  constructor(description: CollectionDescription) {
    this.#unique = [storedKey(description), ...storedUnique(description)].map((fields) => ({ fields, rows: new Map() }));
  }

  /** The rows among which those that match must be: as few as the indexes allow. */
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
   * Takes rows out and puts others in: the one primitive behind insert, update, delete and undo.
   * @returns false when a key is taken; then nothing changed.
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

/** The values of some fields as one text, which two rows share only where all the values are the same; undefined with a null among them. */
function keyOf(fields: readonly string[], row: AnyRow): string | undefined {
  const values = fields.map((field) => row[field]);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

/** The keys that a condition asks for, where it says of every field what it equals (or which values it is among). */
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
