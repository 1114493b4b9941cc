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
import { keyFields, plainRow, token } from "./rows.ts";

/**
 * What a case needs a field for. Cases name roles and not fields, so that the same case runs on whatever collection a host plugs in.
 * `sort…` is a field that an index orders by inside the group; `unique` and `nullableUnique` stand in a unique key.
 */
export type Role = keyof typeof roles;

interface Place {
  readonly description: CollectionDescription;
  /** The field whose random value sets a case's rows apart. */
  readonly group: string;
  /** Fields that are in no key, and are not the group. */
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

/** Where a case runs: a collection, and the field behind each role that the case asked for. */
export interface Setting<R extends Role = Role> extends Place {
  readonly fields: { readonly [role in R]: string };
}

/** The first collection that has a field for every role; users come first, for they have nearly all. */
export function findSetting<R extends Role>(wanted: readonly R[], names: readonly CollectionName[]): Setting<R> | undefined {
  for (const name of names.toSorted((a, b) => Number(b === "users") - Number(a === "users"))) {
    const description: CollectionDescription = schema[name];
    const keys = keyFields(description);
    for (const [group] of description.indexes) {
      const field = group === undefined ? undefined : description.fields[group];
      if (group === undefined || field?.type !== "string" || field.nullable || description.unique.flat().includes(group)) continue;
      // Reads inside a tenant hide rows with `deleting_at`: that is core's rule, not the adapter's.
      const free = Object.entries(description.fields).filter(([other]) => other !== group && other !== "deleting_at" && !keys.has(other));
      const place = { description, group, free };
      const found = wanted.map((role) => [role, roles[role](place)] as const);
      // Every role of R has its field in the record now.
      if (found.every(([, name]) => name !== undefined)) return { ...place, fields: Object.fromEntries(found) as Setting<R>["fields"] };
    }
  }
  return undefined;
}

/** One case's rows in one collection: in a fresh tenant, and in a fresh group inside it, so that cases never meet. */
export class Subject<R extends Role = never> {
  readonly description: CollectionDescription;
  readonly fields: { readonly [role in R]: string };
  readonly collection: Collection;
  readonly tenant: string;
  readonly #setting: Setting<R>;
  readonly #collections: Partial<Collections>;
  readonly #group: string;

  constructor(setting: Setting<R>, collections: Partial<Collections>, tenant = `kit-${token()}`, group: string = token(12)) {
    this.#setting = setting;
    this.#collections = collections;
    this.#group = group;
    this.description = setting.description;
    this.fields = setting.fields;
    this.collection = untyped(collections, setting.description.name);
    this.tenant = tenant;
  }

  /** The same rows through other collections: those of a transaction. */
  through(collections: Collections): Subject<R> {
    return new Subject(this.#setting, collections, this.tenant, this.#group);
  }

  /** Stores the same rows in another tenant and group, under keys of their own. */
  async copy(rows: readonly AnyRow[]): Promise<Subject<R>> {
    const other = new Subject(this.#setting, this.#collections);
    const own = new Set([...keyFields(this.description), ...Object.keys(this.#scope())]);
    await other.put(...rows.map((row) => other.row(Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name))))));
    return other;
  }

  /** A change by which a row is known afterwards: something new in a field that is none of these. Undefined where there is no such field. */
  mark(besides: readonly string[]): { readonly [field: string]: string | number } | undefined {
    const markable = ["integer", "string", "text"];
    const [name, field] = this.#setting.free.find(([other, { type }]) => markable.includes(type) && !besides.includes(other)) ?? [];
    if (name === undefined || field === undefined) return undefined;
    return {
      [name]:
        field.type === "integer"
          ? 1_000_000 + Math.floor(Math.random() * 1_000_000)
          : token(field.type === "string" ? Math.min(field.length, 20) : 20),
    };
  }

  /** A new row, with these values. */
  row(values: { readonly [field: string]: Value } = {}): AnyRow {
    return { ...plainRow(this.description), ...this.#scope(), ...values };
  }

  /** New rows whose field holds these values. */
  rows(field: string, values: readonly Value[]): AnyRow[] {
    return values.map((value) => this.row({ [field]: value }));
  }

  /** A new row that has this one's key. */
  twin(of: AnyRow): AnyRow {
    return this.row(pick(of, this.description.key));
  }

  /** A new row that has this one's unique key, under a key of its own. */
  rival(of: AnyRow): AnyRow {
    return this.row(pick(of, this.description.unique[0] ?? []));
  }

  /** Stores rows that conflict with nothing. */
  async put(...rows: readonly AnyRow[]): Promise<void> {
    await this.collection.insert(rows);
  }

  /** A condition on this case's rows. */
  where(conditions: { readonly [field: string]: Condition<Scalar | null> } = {}): Match<AnyRow> {
    return { ...this.#scope(), ...conditions };
  }

  /** A condition on exactly this row. */
  key(row: AnyRow): Match<AnyRow> {
    return Object.fromEntries([...Object.keys(this.#scope()), ...this.description.key].map((field) => [field, scalar(row[field])]));
  }

  /** Pages ordered by this field. */
  order(field: string, direction: "asc" | "desc" = "asc"): Order<AnyRow> {
    return { fields: [field, ...this.description.key.filter((name) => name !== field)], direction };
  }

  /** The values of a row that stand in an order: what `after` takes. */
  cursor(row: AnyRow | undefined, order: Order<AnyRow>): Scalar[] {
    return order.fields.map((field) => scalar(row?.[field]));
  }

  /** This case's rows that satisfy the conditions. */
  find(conditions?: { readonly [field: string]: Condition<Scalar | null> }, rest: Partial<Find<AnyRow>> = {}): Promise<AnyRow[]> {
    return this.collection.find({ where: this.where(conditions), limit: 1000, ...rest });
  }

  /** One field of the rows found, sorted where the question has no order. */
  async values(
    field: string,
    conditions?: { readonly [field: string]: Condition<Scalar | null> },
    rest: Partial<Find<AnyRow>> = {},
  ): Promise<unknown[]> {
    const found = (await this.find(conditions, rest)).map((row) => row[field]);
    return rest.orderBy === undefined ? inOneOrder(found) : found;
  }

  /** The row as it is stored now. */
  async stored(row: AnyRow): Promise<AnyRow | undefined> {
    const [found] = await this.collection.find({ where: this.key(row), limit: 1 });
    return found;
  }

  /** How many rows satisfy the conditions. */
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
  if (value === undefined || value === null || typeof value === "object") throw new TypeError("a key holds text, numbers or booleans");
  return value;
}

/** A collection as an adapter's author sees it: the kit works from descriptions, which the compiler does not follow. */
export function untyped(collections: Partial<Collections>, name: string): Collection {
  const found = Object.entries(collections).find(([key]) => key === name)?.[1];
  if (found === undefined) throw new TypeError(`the adapter has no collection '${name}'`);
  return found as unknown as Collection;
}
