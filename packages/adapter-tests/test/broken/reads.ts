import {
  matches,
  matchesFilter,
  type AnyRow,
  type Collection,
  type Condition,
  type Filter,
  type Find,
  type Json,
  type Match,
  type Scalar,
  type Value,
} from "@postern/core/adapter";
import { altered, everyRow, type Alter, type Broken } from "./broken.ts";

const withoutField = <T extends object>(object: T, field: string): T => {
  const rest = { ...object };
  Reflect.deleteProperty(rest, field);
  return rest;
};

const only = (fields: readonly string[], row: AnyRow): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)));

/** Replaces the result of each query with the result of `ask`. The store is otherwise correct. */
export const asking =
  (ask: (query: Find<AnyRow>, inner: Collection) => Promise<AnyRow[]>): Alter =>
  (inner) => ({ find: (query) => ask(query, inner) });

/** Passes a different condition to every method. */
export const withWhere =
  (change: (where: Match<AnyRow>) => Match<AnyRow>): Alter =>
  (inner) => ({
    find: (query) => inner.find({ ...query, where: change(query.where) }),
    count: (where, filter) => inner.count(change(where), filter),
    update: (where, set) => inner.update(change(where), set),
    delete: (where) => inner.delete(change(where)),
  });

const oneColumnKeyset: Alter = asking(async ({ after, ...query }, inner) => {
  const { orderBy, where } = query;
  if (after === undefined || orderBy === undefined) return inner.find(query);
  const [field = ""] = orderBy.fields;
  const beyond = <V extends string | number>(last: V) => (orderBy.direction === "asc" ? { gt: last } : { lt: last });
  const last = after[0] ?? "";
  const rest = typeof last === "number" ? beyond(last) : beyond(String(last));
  return where[field] === undefined ? inner.find({ ...query, where: { ...where, [field]: rest } }) : [];
});

/** Evaluates a condition row by row, with a custom comparison. */
export const deciding =
  (holds: (value: Value, condition: Condition<Scalar | null>) => boolean | undefined): Alter =>
  (inner, description) => {
    const judged = (row: AnyRow, where: Match<AnyRow>): boolean =>
      Object.entries(where).every(([field, condition]) => holds(row[field] ?? null, condition) ?? matches(row, { [field]: condition }));
    const scopeOf = (where: Match<AnyRow>): Match<AnyRow> => {
      const { tenant_id } = where;
      return tenant_id === undefined ? { [description.key[0] ?? ""]: { exists: true } } : { tenant_id };
    };
    const all = async (where: Match<AnyRow>, filter: Filter | undefined): Promise<AnyRow[]> =>
      (await everyRow(inner, description, scopeOf(where))).filter(
        (row) => judged(row, where) && (filter === undefined || matchesFilter(row, filter)),
      );
    return {
      find: async (query) =>
        query.orderBy === undefined ? (await all(query.where, query.filter)).slice(0, query.limit) : inner.find(query),
      count: async (where, filter) => (await all(where, filter)).length,
    };
  };

export const like = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "s",
  );

const liveWildcards = deciding((value, condition) => {
  if (typeof condition !== "object" || condition === null || typeof value !== "string" || "exists" in condition) return undefined;
  const { prefix, contains, ...rest } = condition;
  if (Object.keys(rest).length > 0 || !/[%_]/.test(`${prefix}${contains}`)) return undefined;
  return (prefix === undefined || like(`${prefix}%`).test(value)) && (contains === undefined || like(`%${contains}%`).test(value));
});

/** Compares texts for equality and `in` under a collation that folds characters. */
const folding = (fold: (text: string) => string): Alter =>
  deciding((value, condition) => {
    if (typeof value !== "string") return undefined;
    if (typeof condition === "string") return fold(value) === fold(condition);
    if (typeof condition !== "object" || condition === null || !("in" in condition)) return undefined;
    return condition.in?.some((item) => fold(String(item)) === fold(value));
  });

const utf16Order = asking(async (query, inner) => {
  const { orderBy, offset = 0, limit } = query;
  const rows = await inner.find({ ...withoutField(query, "offset"), limit: 1000 });
  if (orderBy === undefined) return rows.slice(0, limit);
  const sign = orderBy.direction === "asc" ? 1 : -1;
  const [field = ""] = orderBy.fields;
  const compare = (a: AnyRow, b: AnyRow): number => {
    const [x, y] = [a[field], b[field]];
    return typeof x === "string" && typeof y === "string" ? (x < y ? -sign : x > y ? sign : 0) : 0;
  };
  return rows.toSorted(compare).slice(offset, offset + limit);
});

const nullAsEmpty: Alter = (inner, { fields, unique }) => {
  const isKept = (field: string): boolean =>
    fields[field]?.type === "string" && fields[field].nullable === true && !unique.flat().includes(field);
  return {
    insert: (rows) =>
      inner.insert(
        rows.map((row) => Object.fromEntries(Object.entries(row).map(([field, value]) => [field, isKept(field) ? (value ?? "") : value]))),
      ),
  };
};

/** Copies objects member by member, as careless code does. */
export const careless = (value: Value | undefined): Value => {
  if (typeof value !== "object" || value === null || isList(value)) return value ?? null;
  const copy: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value)) copy[name] = member;
  return copy;
};

export const isList = (value: Value): value is readonly string[] => Array.isArray(value);

const caching: Alter = (inner) => {
  const cache = new Map<string, AnyRow[]>();
  const fresh = <T>(write: Promise<T>): Promise<T> => write.finally(() => cache.clear());
  return {
    find: async (query) => {
      const key = JSON.stringify(query);
      const rows = cache.get(key) ?? structuredClone(await inner.find(query));
      cache.set(key, rows);
      return rows;
    },
    insert: (rows) => fresh(inner.insert(rows)),
    update: (where, change) => fresh(inner.update(where, change)),
    delete: (where) => fresh(inner.delete(where)),
  };
};

export const brokenReads: readonly Broken[] = [
  {
    defect: "an ignored offset",
    fails: ["offset: skips that many rows"],
    adapter: () => altered(asking((query, inner) => inner.find(withoutField(query, "offset")))),
  },
  {
    defect: "an ignored limit",
    fails: ["limit: returns at most that many rows"],
    adapter: () => altered(asking((query, inner) => inner.find({ ...query, limit: 1000 }))),
  },
  {
    defect: "a hidden limit of 100",
    fails: ["limit: applies no hidden limit"],
    adapter: () => altered(asking((query, inner) => inner.find({ ...query, limit: Math.min(query.limit, 100) }))),
  },
  {
    defect: "rows reduced to the requested fields before the conditions",
    fails: ["fields: returns the requested fields, even if other fields are in conditions and the order"],
    adapter: () =>
      altered(
        asking(async (query, inner) => {
          const { fields, where } = query;
          const rows = await inner.find(query);
          return fields === undefined ? rows : rows.filter((row) => matches(only(fields, row), where));
        }),
      ),
  },
  {
    defect: "a prepared statement that is cached without its fields",
    fails: ["fields: returns the requested fields, even if other fields are in conditions and the order"],
    adapter: () =>
      altered((inner) => {
        let first: readonly string[] | undefined;
        return { find: (query) => inner.find(query.fields === undefined ? query : { ...query, fields: (first ??= query.fields) }) };
      }),
  },
  {
    defect: "a cursor that compares one column",
    fails: ["cursor: compares all fields of the order", "cursor: compares composite keys field by field"],
    adapter: () => altered(oneColumnKeyset),
  },
  {
    defect: "live LIKE wildcards",
    fails: ["where: wildcard characters are literal"],
    adapter: () => altered(liveWildcards),
  },
  {
    defect: "a collation that folds case",
    fails: ["text: is case-sensitive"],
    adapter: () => altered(folding((text) => text.toLowerCase())),
  },
  {
    defect: "a collation that folds accents",
    fails: ["text: distinguishes accents and forms of a letter"],
    adapter: () => altered(folding((text) => text.normalize("NFKD").replaceAll(/\p{M}/gu, ""))),
  },
  {
    defect: "a collation that pads with spaces",
    fails: ["text: distinguishes trailing spaces"],
    adapter: () => altered(folding((text) => text.trimEnd())),
  },
  {
    defect: "an order by UTF-16 units",
    fails: ["text: is ordered by code point"],
    adapter: () => altered(utf16Order),
  },
  {
    defect: "null stored as ''",
    fails: ["values: null is not ''"],
    adapter: () => altered(nullAsEmpty),
  },
  {
    defect: "a missing tenant filter",
    fails: ["tenants: every method separates the same ids of two tenants"],
    adapter: () => altered(withWhere((where) => (Object.keys(where).length === 1 ? where : withoutField(where, "tenant_id")))),
  },
  ...(["find", "count", "update", "delete"] as const).map((method): Broken => ({
    defect: `a missing tenant filter in ${method}`,
    fails: ["tenants: every method separates the same ids of two tenants"],
    adapter: () =>
      altered((inner, description) => {
        const lost = withWhere((where) => withoutField(where, "tenant_id"))(inner, description)[method];
        return { [method]: lost };
      }),
  })),
  {
    defect: "objects copied member by member",
    fails: ["values: __proto__ and constructor are ordinary names in objects"],
    adapter: () =>
      altered(
        asking(async (query, inner) =>
          (await inner.find(query)).map((row) => Object.fromEntries(Object.entries(row).map(([field, value]) => [field, careless(value)]))),
        ),
      ),
  },
  {
    defect: "a cache that returns its own row objects",
    fails: ["values: rows are copies"],
    adapter: () => altered(caching),
  },
];
