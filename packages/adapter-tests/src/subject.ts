import {
  schema,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type CollectionName,
  type Collections,
  type Condition,
  type Field,
  type Find,
  type Match,
  type Order,
  type Scalar,
  type Value,
} from "@postern/core/adapter";
import { inOneOrder } from "./failure.ts";
import { keyFields, plainRow, randomToken } from "./rows.ts";

/**
 * The purpose for which a case needs a field. Cases name roles instead of fields, so that a case can run on any
 * collection that a host replaces. There is an index that orders the rows of a group by the `sort…` field. `unique` and
 * `nullableUnique` are parts of a unique key.
 */
export type FieldRole = keyof typeof roles;

interface Place {
  readonly description: CollectionDescription;
  /** The field whose random value distinguishes the rows of one case from all other rows. */
  readonly group: string;
  /** The fields that are neither part of a key nor the group field. */
  readonly free: readonly (readonly [name: string, field: Field])[];
}

const first = (place: Place, test: (field: Field) => boolean): string | undefined => place.free.find(([, field]) => test(field))?.[0];

const sorted = (place: Place, test: (field: Field) => boolean): string | undefined =>
  first(
    { ...place, free: place.free.filter(([name]) => place.description.indexes.some(([a, b]) => a === place.group && b === name)) },
    test,
  );

const isText = (field: Field): boolean => field.type === "string" && field.ascii === undefined && field.length >= 100;

const roles = {
  text: (place: Place) => first(place, (field) => isText(field) && !field.nullable),
  sortText: (place: Place) => sorted(place, (field) => isText(field) && !field.nullable),
  nullableText: (place: Place) => first(place, (field) => isText(field) && field.nullable === true),
  longText: (place: Place) => first(place, (field) => field.type === "text"),
  integer: (place: Place) => first(place, (field) => field.type === "integer" && !field.nullable),
  sortInteger: (place: Place) => sorted(place, (field) => field.type === "integer" && !field.nullable),
  instant: (place: Place) => first(place, (field) => field.type === "instant" && !field.nullable),
  sortInstant: (place: Place) => sorted(place, (field) => field.type === "instant" && !field.nullable),
  nullableInstant: (place: Place) => first(place, (field) => field.type === "instant" && field.nullable === true),
  boolean: (place: Place) => first(place, (field) => field.type === "boolean" && !field.nullable),
  strings: (place: Place) => first(place, (field) => field.type === "strings" && !field.nullable),
  object: (place: Place) => first(place, (field) => field.type === "object" && !field.nullable),
  unique: ({ description }: Place) => description.unique[0]?.at(-1),
  nullableUnique: ({ description }: Place) => description.unique[0]?.find((name) => description.fields[name]?.nullable),
  compositeKey: ({ description }: Place) => (description.key.length > 2 ? description.key.at(-1) : undefined),
  expiry: ({ description }: Place) => description.expiry,
  tenant: ({ description }: Place) => (description.scope === "tenant" ? "tenant_id" : undefined),
};

/** The collection that a case runs on, with the field for each role that the case needs. */
interface SubjectSetting<R extends FieldRole = FieldRole> extends Place {
  readonly fields: { readonly [role in R]: string };
}

/**
 * Returns the first collection that has a field for every role. `users` is tried first, because it has a field for
 * nearly every role.
 */
export function findSetting<R extends FieldRole>(wanted: readonly R[], names: readonly CollectionName[]): SubjectSetting<R> | undefined {
  for (const name of names.toSorted((a, b) => Number(b === "users") - Number(a === "users"))) {
    const description: CollectionDescription = schema[name];
    const keys = keyFields(description);
    for (const [group] of description.indexes) {
      const field = group === undefined ? undefined : description.fields[group];
      if (group === undefined || field?.type !== "string" || field.nullable || description.unique.flat().includes(group)) continue;
      // Rows with `deleting_at` are hidden in a tenant's scope by core, not by the adapter.
      const free = Object.entries(description.fields).filter(([other]) => other !== group && other !== "deleting_at" && !keys.has(other));
      const place = { description, group, free };
      const found = wanted.map((role) => [role, roles[role](place)] as const);
      // Every role of R has a field at this point.
      if (found.every(([, name]) => name !== undefined))
        return { ...place, fields: Object.fromEntries(found) as SubjectSetting<R>["fields"] };
    }
  }
  return undefined;
}

/**
 * The rows of one case in one collection. Each case uses a new tenant and a new group, so that cases do not affect each
 * other.
 */
export class TestedCollection<R extends FieldRole = never> {
  readonly description: CollectionDescription;
  readonly fields: { readonly [role in R]: string };
  readonly collection: Collection;
  readonly tenant: string;
  readonly #setting: SubjectSetting<R>;
  readonly #collections: Partial<Collections>;
  readonly #group: string;

  constructor(
    setting: SubjectSetting<R>,
    collections: Partial<Collections>,
    tenant = `kit-${randomToken()}`,
    group: string = randomToken(12),
  ) {
    this.#setting = setting;
    this.#collections = collections;
    this.#group = group;
    this.description = setting.description;
    this.fields = setting.fields;
    this.collection = untyped(collections, setting.description.name);
    this.tenant = tenant;
  }

  /** Returns this object for the same rows, but on other collections, such as those in a transaction. */
  through(collections: Collections): TestedCollection<R> {
    return new TestedCollection(this.#setting, collections, this.tenant, this.#group);
  }

  /** Stores copies of the rows in another tenant and another group, with new keys. */
  async copy(rows: readonly AnyRow[]): Promise<TestedCollection<R>> {
    const other = new TestedCollection(this.#setting, this.#collections);
    const own = new Set([...keyFields(this.description), ...Object.keys(this.#scope())]);
    await other.put(...rows.map((row) => other.row(Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name))))));
    return other;
  }

  /**
   * Returns a change that makes updated rows recognizable: a new value for a field that is not in `excluded`. Undefined
   * if there is no such field.
   */
  mark(excluded: readonly string[]): { readonly [field: string]: string | number } | undefined {
    const markable = ["integer", "string", "text"];
    const [name, field] = this.#setting.free.find(([other, { type }]) => markable.includes(type) && !excluded.includes(other)) ?? [];
    if (name === undefined || field === undefined) return undefined;
    return {
      [name]:
        field.type === "integer"
          ? 1_000_000 + Math.floor(Math.random() * 1_000_000)
          : randomToken(field.type === "string" ? Math.min(field.length, 20) : 20),
    };
  }

  /** Returns a row with these values. Does not store it. */
  row(values: { readonly [field: string]: Value } = {}): AnyRow {
    return { ...plainRow(this.description), ...this.#scope(), ...values };
  }

  /** Returns one row for each value of the field. Does not store them. */
  rows(field: string, values: readonly Value[]): AnyRow[] {
    return values.map((value) => this.row({ [field]: value }));
  }

  /** Returns a row that has the same key as another row. */
  twin(of: AnyRow): AnyRow {
    return this.row(pick(of, this.description.key));
  }

  /** Returns a row that has the same unique key as another row, but a different key. */
  rival(of: AnyRow): AnyRow {
    return this.row(pick(of, this.description.unique[0] ?? []));
  }

  /** Inserts rows that must not conflict. */
  async put(...rows: readonly AnyRow[]): Promise<void> {
    await this.collection.insert(rows);
  }

  /** Returns a condition that limits a query to the rows of this case. */
  where(conditions: { readonly [field: string]: Condition<Scalar | null> } = {}): Match<AnyRow> {
    return { ...this.#scope(), ...conditions };
  }

  /** Returns a condition that matches only this row. */
  key(row: AnyRow): Match<AnyRow> {
    return Object.fromEntries([...Object.keys(this.#scope()), ...this.description.key].map((field) => [field, scalar(row[field])]));
  }

  /** Returns an order that starts with this field. */
  order(field: string, direction: "asc" | "desc" = "asc"): Order<AnyRow> {
    return { fields: [field, ...this.description.key.filter((name) => name !== field)], direction };
  }

  /** Returns the values of a row for `after`, in the order of `order.fields`. */
  cursor(row: AnyRow | undefined, order: Order<AnyRow>): Scalar[] {
    return order.fields.map((field) => scalar(row?.[field]));
  }

  /** Returns the rows of this case that match the conditions. */
  find(conditions?: { readonly [field: string]: Condition<Scalar | null> }, rest: Partial<Find<AnyRow>> = {}): Promise<AnyRow[]> {
    return this.collection.find({ where: this.where(conditions), limit: 1000, ...rest });
  }

  /** Returns the values of one field in the matching rows. They are sorted unless the query has an order. */
  async values(
    field: string,
    conditions?: { readonly [field: string]: Condition<Scalar | null> },
    rest: Partial<Find<AnyRow>> = {},
  ): Promise<unknown[]> {
    const found = (await this.find(conditions, rest)).map((row) => row[field]);
    return rest.orderBy === undefined ? inOneOrder(found) : found;
  }

  /** Returns a row as it is stored. */
  async stored(row: AnyRow): Promise<AnyRow | undefined> {
    const [found] = await this.collection.find({ where: this.key(row), limit: 1 });
    return found;
  }

  /** Returns the number of rows of this case that match the conditions. */
  async count(conditions?: { readonly [field: string]: Condition<Scalar | null> }): Promise<number> {
    return Number(await this.collection.count(this.where(conditions)));
  }

  #scope(): { readonly [field: string]: string } {
    const group = { [this.#setting.group]: this.#group };
    return this.description.scope === "tenant" ? { tenant_id: this.tenant, ...group } : group;
  }
}

const pick = (row: AnyRow, names: readonly string[]): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

function scalar(value: Value | undefined): Scalar {
  if (value === undefined || value === null || typeof value === "object")
    throw new TypeError("each field in the key of a row must be text, a number or a boolean");
  return value;
}

/**
 * Returns a collection whose rows are untyped. The suite works with descriptions, from which the compiler cannot infer
 * row types.
 */
export function untyped(collections: Partial<Collections>, name: string): Collection {
  const found = Object.entries(collections).find(([key]) => key === name)?.[1];
  if (found === undefined) throw new TypeError(`the adapter has no collection '${name}'`);
  return found as unknown as Collection;
}
