import { matches, matchesFilter, type AnyRow, type DataAdapter, type Filter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { setting } from "./changes.ts";
import { altered, transactionOf, type Alter, type Broken } from "./broken.ts";
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
  text,
  unlimited,
  withTransactions,
} from "./ways.ts";

// Each of these breaks something that other cases build on, so that more than one fails: what counts is that the one named here does.
// Together with the others they make sure that no case of the suite passes whatever the adapter does.

const whole = (defect: string, fails: string, adapter: () => DataAdapter): Broken => ({ defect, fails: [fails], adapter });
const basic = (defect: string, fails: string, alter: Alter): Broken => whole(defect, fails, () => altered(alter));

const inserts = [
  basic("a batch cut off at 100", "insert: stores many rows in one call", (inner) => ({
    insert: (rows) => inner.insert(rows.slice(0, 100)),
  })),
  basic("one null only", "insert: null in a unique key conflicts with nothing", (inner, description) =>
    storing((value, field) => (value === null && description.unique.flat().includes(field) ? "none" : value))(inner, description),
  ),
  basic("'' kept as null", "values: '' in a unique key is a value", (inner, description) =>
    storing((value, field) => (value === "" && description.fields[field]?.nullable ? null : value))(inner, description),
  ),
  basic(
    "text trimmed",
    "text: is kept as it is",
    storing((value) => (typeof value === "string" ? value.trim() : value)),
  ),
  basic(
    "integers of 32 bits",
    "values: integers up to 2^53 - 1, and below zero",
    reading((value) => (typeof value === "number" ? value | 0 : value)),
  ),
  basic(
    "booleans as numbers",
    "values: booleans are true and false",
    reading((value) => (typeof value === "boolean" ? Number(value) : value)),
  ),
  basic(
    "objects without nulls",
    "values: objects are kept whole",
    storing((value) => JSON.parse(JSON.stringify(value).replaceAll(/,"[^"]*":null/g, ""))),
  ),
  basic(
    "lists joined by commas",
    "values: lists of strings keep order, repeats and ''",
    storing((value) => (Array.isArray(value) ? value.join().split(",") : value)),
  ),
  basic(
    "text cut off at 64 kB",
    "values: long text and large objects",
    storing((value) => (typeof value === "string" ? value.slice(0, 65_535) : value)),
  ),
];

const updates = [
  basic("additions only upwards", "update: adds to integers, up and down", (inner) => ({
    update: (where, { add = {}, ...rest }) =>
      inner.update(where, { ...rest, add: Object.fromEntries(Object.entries(add).map(([field, amount]) => [field, Math.abs(amount)])) }),
  })),
  basic("null that sets nothing", "values: null can be set and unset", (inner) => ({
    update: (where, { set = {}, ...rest }) =>
      inner.update(where, { ...rest, set: Object.fromEntries(Object.entries(set).map(([field, value]) => [field, value ?? 5])) }),
  })),
  basic(
    "objects set without nulls",
    "values: objects are kept whole",
    setting((value) => JSON.parse(JSON.stringify(value).replaceAll(/,"[^"]*":null/g, ""))),
  ),
  basic(
    "text cut off at 255 characters",
    "users: keeps a full row, and one with as little as may be",
    setting((value) => (typeof value === "string" ? value.slice(0, 255) : value)),
  ),
  basic("a count that stops at 2", "count: counts the rows that match", (inner) => ({
    count: async (where) => Math.min(2, await inner.count(where)),
  })),
];

const conditions = [
  basic(
    "false taken for absent",
    "where: a bare value is equality, in every type",
    withWhere((where) => Object.fromEntries(Object.entries(where).filter(([, value]) => value !== false))),
  ),
  basic(
    "a third condition ignored",
    "where: all conditions must hold",
    withWhere((where) => Object.fromEntries(Object.entries(where).slice(0, 3))),
  ),
  ...(["update", "delete"] as const).map((method) =>
    basic(`the last two conditions joined by OR in ${method}`, "where: all conditions must hold", (inner, description) => {
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
    "null taken for 0",
    "where: comparisons and text operators never match null",
    deciding((value, condition) => (value === null && isOperators(condition) && "lte" in condition ? true : undefined)),
  ),
  basic(
    "only the first of in",
    "where: in takes 1 to 50 values",
    asksFor((condition) => (isOperators(condition) && "in" in condition ? (condition.in?.[0] ?? null) : condition)),
  ),
  basic(
    "lte taken for lt",
    "where: lt, lte, gt and gte",
    asksFor((condition) => (isOperators(condition) && "lte" in condition ? { lt: Number(condition.lte) } : condition)),
  ),
  basic(
    "prefix taken for contains",
    "where: prefix and contains",
    asksFor((condition) => (isOperators(condition) && "prefix" in condition ? { contains: condition.prefix ?? "" } : condition)),
  ),
  basic(
    "an error for no rows",
    "where: a question that nothing answers",
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
    "order: numbers go by size",
    sorting((a, b, [field = ""], sign) => sign * order(text(a[field]), text(b[field]))),
  ),
  basic(
    "equal values in any order",
    "order: equal values are ordered by the key, in the same direction",
    sorting((a, b, fields) => order(text(b[fields[1] ?? ""]), text(a[fields[1] ?? ""]))),
  ),
  basic(
    "a cursor that includes its row",
    "cursor: a walk meets every row once, in both directions",
    unlimited((rows, after, [field = ""]) => rows.slice(rows.findIndex((row) => row[field] === after[0]))),
  ),
  basic(
    "a cursor under the rules of a language",
    "cursor: a walk over text meets every row once",
    unlimited((rows, [after = ""], [field = ""]) => {
      const later = rows.filter((row) => text(row[field]).localeCompare(String(after), "en") > 0);
      return later;
    }),
  ),
  basic("page numbers for cursors", "cursor: rows added meanwhile neither repeat nor hide others", pageNumbers),
  basic(
    "a cursor that looks for its row",
    "cursor: goes on after its row was removed",
    unlimited((rows, after, fields) => {
      const at = rows.findIndex((row) => fields.every((field, i) => row[field] === after[i]));
      return at === -1 ? [] : rows.slice(at + 1);
    }),
  ),
];

const searches = [
  basic(
    "gte taken for gt",
    "filter: each operator",
    judging((row, filter) => matchesFilter(row, "op" in filter && filter.op === "gte" ? { ...filter, op: "gt" } : filter)),
  ),
  basic("not (a or b) as not a or not b", "filter: and, or and not nest", judging(deMorgan)),
  basic(
    "the last name of a path only",
    "filter: paths into objects, and lists at their end",
    judging((row, filter) => matchesFilter(row, "op" in filter && filter.path ? { ...filter, path: filter.path.slice(-1) } : filter)),
  ),
  basic(
    "live LIKE wildcards in filters",
    "filter: text is literal and exact",
    judging((row, filter) =>
      "op" in filter && filter.op === "contains" && filter.path === undefined
        ? like(`%${filter.value}%`).test(text(row[filter.field]))
        : matchesFilter(row, filter),
    ),
  ),
  basic(
    "filters without case",
    "filter: letter case counts",
    judging((row, filter) => {
      const folded: Filter = JSON.parse(JSON.stringify(filter).toLowerCase());
      return matchesFilter(Object.fromEntries(Object.entries(row).map(([field, value]) => [field, lower(value)])), folded);
    }),
  ),
];

const races = [
  basic("a rename that looks first", "race: one of 32 updates takes a unique key", lookThenRename),
  basic("a delete that counts first", "race: one of 32 deletes counts the row", countThenDelete),
  whole("an update that takes two connections", "race: many calls at once all end", () => altered(greedy())),
];

const transactions = [
  whole("writes to nowhere", "transaction: keeps what it wrote, and answers what its function answers", () =>
    withTransactions(() => createMemoryAdapter().collections),
  ),
  whole("a find that reads beside the transaction", "transaction: reads what it wrote", () =>
    withTransactions(
      ({ collections }) => collections,
      () => ({ find: async () => [] }),
    ),
  ),
  whole("a transaction that takes two connections", "transaction: many at once all end, and calls beside them", () => {
    const memory = createMemoryAdapter();
    return { ...memory, transaction: (run) => transactionOf(memory)(() => run(memory.collections)) };
  }),
];

const rest = [
  basic(
    "nothing without a tenant",
    "tenants: a condition without a tenant reaches all of them",
    asking(async (query, inner) => ("tenant_id" in query.where ? inner.find(query) : [])),
  ),
  whole("no checks, for want of defineAdapter", "refusals: a refused call rejects, and the adapter works on", () => {
    const { users, ...others } = createMemoryAdapter().collections;
    return { collections: { ...others, users: { ...users, count: (where, filter) => users.count(where, filter).catch(() => 0) } } };
  }),
  whole("a missing table", "check: finds nothing missing", () => ({
    ...createMemoryAdapter(),
    check: () => Promise.reject(new Error("no table users")),
  })),
  basic(
    "a column of 255 characters",
    "users: keeps a full row, and one with as little as may be",
    storing((value) => (typeof value === "string" ? value.slice(0, 255) : value)),
  ),
  basic("a unique key that the store does not know", "roles: has its keys", (inner) => {
    const doubles: AnyRow[] = [];
    return {
      insert: async (rows) => (await inner.insert(rows)) || doubles.push(...rows) > 0,
      count: async (where) => (await inner.count(where)) + doubles.filter((row) => matches(row, where)).length,
    };
  }),
  basic(
    "an order that is not there",
    "roles: answers in its orders",
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
