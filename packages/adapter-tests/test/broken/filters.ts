import { matches, matchesFilter, type AnyRow, type CollectionDescription, type Filter } from "@postern/core/adapter";
import { cut } from "./conditions.ts";
import { altered, everyRow, type Alter, type Broken } from "./broken.ts";

/** Returns an alteration that evaluates filters differently, on the rows that match the condition. */
export const judging =
  (judge: (row: AnyRow, filter: Filter, description: CollectionDescription) => boolean): Alter =>
  (inner, description) => ({
    find: async ({ filter, limit, offset = 0, ...query }) => {
      const rows = (await inner.find({ ...query, limit: 1000 })).filter((row) => filter === undefined || judge(row, filter, description));
      return rows.slice(offset, offset + limit);
    },
    count: async (where, filter) =>
      (await everyRow(inner, description, where)).filter((row) => filter === undefined || judge(row, filter, description)).length,
  });

/**
 * Evaluates a filter in SQL's three-valued logic: NOT of unknown is unknown, and rows for which the filter is unknown
 * do not match.
 */
function threeValued(row: AnyRow, filter: Filter): boolean | undefined {
  if ("and" in filter) {
    const parts = filter.and.map((part) => threeValued(row, part));
    return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
  }
  if ("or" in filter) {
    const parts = filter.or.map((part) => threeValued(row, part));
    return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
  }
  if ("not" in filter) {
    const inner = threeValued(row, filter.not);
    return inner === undefined ? undefined : !inner;
  }
  const { field, path } = filter;
  const isThere = matchesFilter(row, { field, ...(path && { path }), op: "exists" });
  return isThere || filter.op === "exists" ? matchesFilter(row, filter) : undefined;
}

/** Evaluates `condition and a or b` without parentheses. */
const leakingOr: Alter = (inner) => {
  const all = async (where: AnyRow | object, filter: Filter | undefined): Promise<AnyRow[]> => {
    const tenant = Object.fromEntries(Object.entries(where).filter(([field]) => field === "tenant_id"));
    const [first, ...others] = filter !== undefined && "or" in filter ? filter.or : [filter];
    const rows = await inner.find({ where: tenant, limit: 1000 });
    return rows.filter(
      (row) =>
        (matches(row, Object.fromEntries(Object.entries(where))) && (first === undefined || matchesFilter(row, first))) ||
        others.some((part) => part !== undefined && matchesFilter(row, part)),
    );
  };
  return {
    find: async (query) => (query.filter === undefined || query.orderBy !== undefined ? inner.find(query) : all(query.where, query.filter)),
    count: async (where, filter) => (filter === undefined ? inner.count(where) : (await all(where, filter)).length),
  };
};

const filteringPages: Alter = (inner) => ({
  find: async ({ filter, ...query }) => (await inner.find(query)).filter((row) => filter === undefined || matchesFilter(row, filter)),
});

/** Compares values as a store without types does. */
const untypedValues = judging((row, filter) => {
  if (!("op" in filter) || filter.op !== "eq" || filter.path === undefined) return matchesFilter(row, filter);
  const value = filter.value;
  const others = value === 1 ? [1, true] : value === true ? [true, 1] : [value];
  return others.some((other) => other !== undefined && matchesFilter(row, { ...filter, value: other }));
});

/** Treats a dot in a member's name as a separator in the path. */
const dotted = judging(function judge(row, filter): boolean {
  return "op" in filter && filter.path !== undefined
    ? matchesFilter(row, { ...filter, path: filter.path.flatMap((name) => name.split(".")) })
    : matchesFilter(row, filter);
});

export const brokenFilters: readonly Broken[] = [
  {
    defect: "a three-valued NOT",
    fails: ["filter: not matches missing values"],
    adapter: () => altered(judging((row, filter) => threeValued(row, filter) === true)),
  },
  {
    defect: "an OR that is not limited to the condition",
    fails: ["filter: applies within the condition"],
    adapter: () => altered(leakingOr),
  },
  {
    defect: "a filter applied to the page",
    fails: ["filter: applies to pages and counts"],
    adapter: () => altered(filteringPages),
  },
  {
    defect: "a filter that treats true as 1",
    fails: ["filter: values of another type do not match"],
    adapter: () => altered(untypedValues),
  },
  {
    defect: "a filter's prefix as a range that ends at U+FFFF",
    fails: ["filter: a prefix matches every text that starts with it"],
    adapter: () =>
      altered(
        judging(function judge(row, filter): boolean {
          if (!("op" in filter) || filter.op !== "prefix") return "not" in filter ? !judge(row, filter.not) : matchesFilter(row, filter);
          return matchesFilter(row, {
            and: [
              { ...filter, op: "gte" },
              { ...filter, op: "lt", value: `${filter.value}\uffff` },
            ],
          });
        }),
      ),
  },
  {
    defect: "a filter that truncates its values",
    fails: ["filter: text that is longer than its field matches nothing"],
    adapter: () =>
      altered(
        judging(function judge(row, filter, description): boolean {
          if ("not" in filter) return !judge(row, filter.not, description);
          if (!("op" in filter) || filter.path !== undefined || filter.value === undefined) return matchesFilter(row, filter);
          return matchesFilter(row, { ...filter, value: cut(description, filter.field, filter.value) });
        }),
      ),
  },
  {
    defect: "a filter that splits names at dots",
    fails: ["filter: any text is valid as a name in a path"],
    adapter: () => altered(dotted),
  },
];
