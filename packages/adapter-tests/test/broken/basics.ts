import { matches, matchesFilter, type AnyRow, type DataAdapter, type Filter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { setting } from "./changes.ts";
import { altered, memoryTransaction, type Alter, type Broken } from "./broken.ts";
import { judging } from "./filters.ts";
import { asking, deciding, like, withWhere } from "./reads.ts";
import {
  asksFor,
  countThenDelete,
  deMorgan,
  greedy,
  isOperators,
  lookThenRename,
  lower,
  order,
  pageNumbers,
  reading,
  sorting,
  storing,
  toText,
  unlimited,
  withTransactions,
} from "./ways.ts";

// Each of these defects breaks something that other cases depend on, so several cases fail. The named case must be one
// of them. Together with the other defects, these prove that every case can fail.

const whole = (defect: string, fails: string, adapter: () => DataAdapter): Broken => ({ defect, fails: [fails], adapter });
const basic = (defect: string, fails: string, alter: Alter): Broken => whole(defect, fails, () => altered(alter));

const inserts = [
  basic("a batch truncated at 100", "insert: stores many rows in one call", (inner) => ({
    insert: (rows) => inner.insert(rows.slice(0, 100)),
  })),
  basic("only one null", "insert: null in a unique key conflicts with nothing", (inner, description) =>
    storing((value, field) => (value === null && description.unique.flat().includes(field) ? "none" : value))(inner, description),
  ),
  basic("'' stored as null", "values: '' in a unique key is a value", (inner, description) =>
    storing((value, field) => (value === "" && description.fields[field]?.nullable ? null : value))(inner, description),
  ),
  basic(
    "text trimmed",
    "text: is stored unchanged",
    storing((value) => (typeof value === "string" ? value.trim() : value)),
  ),
  basic(
    "integers of 32 bits",
    "values: stores integers up to 2^53 - 1 and negative ones",
    reading((value) => (typeof value === "number" ? value | 0 : value)),
  ),
  basic(
    "booleans as numbers",
    "values: booleans are true and false",
    reading((value) => (typeof value === "boolean" ? Number(value) : value)),
  ),
  basic(
    "objects without nulls",
    "values: stores objects completely",
    storing((value) => JSON.parse(JSON.stringify(value).replaceAll(/,"[^"]*":null/g, ""))),
  ),
  basic(
    "lists joined by commas",
    "values: lists of strings preserve order, duplicates and ''",
    storing((value) => (Array.isArray(value) ? value.join().split(",") : value)),
  ),
  basic(
    "text truncated at 64 kB",
    "values: stores long text and large objects",
    storing((value) => (typeof value === "string" ? value.slice(0, 65_535) : value)),
  ),
];

const updates = [
  basic("only positive additions", "update: adds positive and negative numbers to integers", (inner) => ({
    update: (where, { add = {}, ...rest }) =>
      inner.update(where, { ...rest, add: Object.fromEntries(Object.entries(add).map(([field, amount]) => [field, Math.abs(amount)])) }),
  })),
  basic("an ignored null in an update", "values: null can be set and replaced", (inner) => ({
    update: (where, { set = {}, ...rest }) =>
      inner.update(where, { ...rest, set: Object.fromEntries(Object.entries(set).map(([field, value]) => [field, value ?? 5])) }),
  })),
  basic(
    "objects set without nulls",
    "values: stores objects completely",
    setting((value) => JSON.parse(JSON.stringify(value).replaceAll(/,"[^"]*":null/g, ""))),
  ),
  basic(
    "text truncated at 255 characters",
    "users: stores a full row and a minimal row",
    setting((value) => (typeof value === "string" ? value.slice(0, 255) : value)),
  ),
  basic("a count that stops at 2", "count: counts the matching rows", (inner) => ({
    count: async (where) => Math.min(2, await inner.count(where)),
  })),
];

const conditions = [
  basic(
    "false treated as absent",
    "where: a bare value means equality, for every type",
    withWhere((where) => Object.fromEntries(Object.entries(where).filter(([, value]) => value !== false))),
  ),
  basic(
    "a third condition ignored",
    "where: all conditions must match",
    withWhere((where) => Object.fromEntries(Object.entries(where).slice(0, 3))),
  ),
  ...(["update", "delete"] as const).map((method) =>
    basic(`the last two conditions joined by OR in ${method}`, "where: all conditions must match", (inner, description) => {
      const without = (i: number) => withWhere((where) => Object.fromEntries(Object.entries(where).toSpliced(i, 1)))(inner, description);
      const [last, before] = [without(-1), without(-2)];
      return method === "update"
        ? { update: async (where, change) => Number(await last.update?.(where, change)) + Number(await before.update?.(where, change)) }
        : { delete: async (where) => Number(await last.delete?.(where)) + Number(await before.delete?.(where)) };
    }),
  ),
  basic(
    "= NULL",
    "where: null and exists",
    asksFor((condition) => (condition === null ? -1 : condition)),
  ),
  basic(
    "null treated as 0",
    "where: comparisons and text operators never match null",
    deciding((value, condition) => (value === null && isOperators(condition) && "lte" in condition ? true : undefined)),
  ),
  basic(
    "only the first of in",
    "where: in accepts 1 to 50 values",
    asksFor((condition) => (isOperators(condition) && "in" in condition ? (condition.in?.[0] ?? null) : condition)),
  ),
  basic(
    "lte treated as lt",
    "where: lt, lte, gt and gte",
    asksFor((condition) => (isOperators(condition) && "lte" in condition ? { lt: Number(condition.lte) } : condition)),
  ),
  basic(
    "prefix treated as contains",
    "where: prefix and contains",
    asksFor((condition) => (isOperators(condition) && "prefix" in condition ? { contains: condition.prefix ?? "" } : condition)),
  ),
  basic(
    "an error for no rows",
    "where: a condition that no row matches",
    asking(async (query, inner) => {
      const rows = await inner.find(query);
      if (rows.length === 0) throw new Error("not found");
      return rows;
    }),
  ),
];

const pages = [
  basic(
    "always ascending",
    "order: ascending and descending",
    asking((query, inner) => inner.find(query.orderBy ? { ...query, orderBy: { ...query.orderBy, direction: "asc" } } : query)),
  ),
  basic(
    "numbers ordered as text",
    "order: sorts numbers by value",
    sorting((a, b, [field = ""], sign) => sign * order(toText(a[field]), toText(b[field]))),
  ),
  basic(
    "equal values in any order",
    "order: equal values are ordered by the key, in the same direction",
    sorting((a, b, fields) => order(toText(b[fields[1] ?? ""]), toText(a[fields[1] ?? ""]))),
  ),
  basic(
    "a cursor that includes its row",
    "cursor: pages contain every row once, in both directions",
    unlimited((rows, after, [field = ""]) => rows.slice(rows.findIndex((row) => row[field] === after[0]))),
  ),
  basic(
    "a cursor under the rules of a language",
    "cursor: pages in text order contain every row once",
    unlimited((rows, [after = ""], [field = ""]) => {
      const later = rows.filter((row) => toText(row[field]).localeCompare(String(after), "en") > 0);
      return later;
    }),
  ),
  basic("page numbers as cursors", "cursor: rows inserted between pages neither repeat nor hide others", pageNumbers),
  basic(
    "a cursor that searches its row",
    "cursor: continues after its row was deleted",
    unlimited((rows, after, fields) => {
      const at = rows.findIndex((row) => fields.every((field, i) => row[field] === after[i]));
      return at === -1 ? [] : rows.slice(at + 1);
    }),
  ),
];

const searches = [
  basic(
    "gte treated as gt",
    "filter: supports each operator",
    judging((row, filter) => matchesFilter(row, "op" in filter && filter.op === "gte" ? { ...filter, op: "gt" } : filter)),
  ),
  basic("not (a or b) as not a or not b", "filter: and, or and not can be nested", judging(deMorgan)),
  basic(
    "the last name of a path only",
    "filter: supports paths into objects and lists at their end",
    judging((row, filter) => matchesFilter(row, "op" in filter && filter.path ? { ...filter, path: filter.path.slice(-1) } : filter)),
  ),
  basic(
    "live LIKE wildcards in filters",
    "filter: text is literal and exact",
    judging((row, filter) =>
      "op" in filter && filter.op === "contains" && filter.path === undefined
        ? like(`%${filter.value}%`).test(toText(row[filter.field]))
        : matchesFilter(row, filter),
    ),
  ),
  basic(
    "filters without case",
    "filter: is case-sensitive",
    judging((row, filter) => {
      const folded: Filter = JSON.parse(JSON.stringify(filter).toLowerCase());
      return matchesFilter(Object.fromEntries(Object.entries(row).map(([field, value]) => [field, lower(value)])), folded);
    }),
  ),
];

const races = [
  basic("a rename that queries first", "race: one of 32 updates gets a unique key", lookThenRename),
  basic("a delete that counts first", "race: one of 32 deletes counts the row", countThenDelete),
  whole("an update that takes two connections", "race: many concurrent calls all complete", () => altered(greedy())),
];

const transactions = [
  whole("writes to nowhere", "transaction: commits its writes and returns the result of its function", () =>
    withTransactions(() => createMemoryAdapter().collections),
  ),
  whole("a find outside the transaction", "transaction: reads its own writes", () =>
    withTransactions(
      ({ collections }) => collections,
      () => ({ find: async () => [] }),
    ),
  ),
  whole("a transaction that takes two connections", "transaction: many concurrent transactions and calls all complete", () => {
    const memory = createMemoryAdapter();
    return { ...memory, transaction: (run) => memoryTransaction(memory)(() => run(memory.collections)) };
  }),
];

const rest = [
  basic(
    "no rows without a tenant",
    "tenants: a condition without a tenant matches the rows of all tenants",
    asking(async (query, inner) => ("tenant_id" in query.where ? inner.find(query) : [])),
  ),
  whole("no checks, because defineAdapter is not used", "rejections: an invalid call rejects, and the adapter keeps working", () => {
    const { users, ...others } = createMemoryAdapter().collections;
    return { collections: { ...others, users: { ...users, count: (where, filter) => users.count(where, filter).catch(() => 0) } } };
  }),
  whole("a missing table", "check: passes on a migrated database", () => ({
    ...createMemoryAdapter(),
    check: () => Promise.reject(new Error("no table users")),
  })),
  basic(
    "a column of 255 characters",
    "users: stores a full row and a minimal row",
    storing((value) => (typeof value === "string" ? value.slice(0, 255) : value)),
  ),
  basic("a missing unique key", "roles: enforces its keys", (inner) => {
    const doubles: AnyRow[] = [];
    return {
      insert: async (rows) => (await inner.insert(rows)) || doubles.push(...rows) > 0,
      count: async (where) => (await inner.count(where)) + doubles.filter((row) => matches(row, where)).length,
    };
  }),
  basic(
    "an unsupported order",
    "roles: supports its orders",
    sorting(() => 0),
  ),
];

export const brokenBasics: readonly Broken[] = [
  ...inserts,
  ...updates,
  ...conditions,
  ...pages,
  ...searches,
  ...races,
  ...transactions,
  ...rest,
];
