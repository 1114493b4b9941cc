import type { AnyRow, Collection, Filter, Match } from "../../store/contract.ts";
import type { CollectionDescription } from "../../store/description.ts";
import { compileQuery } from "../../store/q/compile.ts";
import { QueryError } from "../../store/q/error.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { flatten } from "../../store/q/flatten.ts";
import type { Scalar } from "../../store/value.ts";
import { parseSort, type Listing, type ListQuery, type Sort } from "../../http/pagination.ts";
import { invalidInput } from "../../http/validation.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { paginate } from "./page.ts";
import { readCompletePage, readPartialPage } from "./read-page.ts";

/** Describes a list: the rows that it contains and how they are returned. */
export interface ListSource<Row, Item> {
  readonly collection: Collection<Row>;
  readonly description: CollectionDescription;
  /** Conditions that select the rows of the list. An index covers them for every sort order of the list. */
  readonly where: Match<Row>;
  /** Conditions that no index covers. They are checked for each row of the list. */
  readonly only?: readonly Filter[];
  /** The ID of the parent resource, if the path contains one. A cursor is valid only for the same parent. */
  readonly within?: string;
  /** The name of the list in the response body. */
  readonly key: string;
  readonly defaultSort: Sort;
  /**
   * The names by which callers can sort, with the fields that they stand for. Default: the sortable fields of the
   * description, by their own names.
   */
  readonly sortNames?: { readonly [name: string]: string };
  /** Fields that `q` may contain. Required if the query of the list may contain `q`. */
  readonly search?: SearchTable;
  /**
   * The fields that the caller may see. The caller cannot search or sort by other fields, because that would reveal
   * their values. Default: all fields.
   */
  readonly shown?: readonly string[] | undefined;
  /** The default page size. */
  readonly perPage?: number;
  /** Whether `page` counts from 0 or from 1. Default: `pagination.firstPage` in the options of the host application. */
  readonly firstPage?: number;
  /** Converts a page of rows to items, and loads any further data that the items need. */
  present(rows: readonly Row[]): Promise<readonly Item[]> | readonly Item[];
}

/** The parts of a {@link ListSource} that determine the conditions. */
type ConditionSource<Row, Item> = Pick<ListSource<Row, Item>, "collection" | "description" | "only" | "search" | "shown">;

/** Lists the rows of a collection in the pagination style that the request selects. */
export async function listRoute<Row extends AnyRow, Item>(
  tenant: RequestTenant,
  query: ListQuery,
  source: ListSource<Row, Item>,
): Promise<Listing<Item>> {
  const { collection, description, where, key, perPage, firstPage, present } = source;
  const sort = sortOf(query.sort, source);
  const orderBy = { fields: [sort.field, ...description.key.filter((field) => field !== sort.field)], direction: sort.direction };
  const { match, filter } = filterConditions(query.q, source);
  const conditions = { ...where, ...match };
  const base = { where: conditions, orderBy, ...(filter !== undefined && { filter }) };
  // Every sort field contains scalars and is never null.
  const positionOf = (row: Row): readonly Scalar[] => orderBy.fields.map((field) => row[field] as Scalar);

  return paginate(tenant, query, {
    list: [description.name, source.within ?? ""],
    key,
    ...(perPage !== undefined && { perPage }),
    ...(firstPage !== undefined && { firstPage }),
    after: async (position, request) => {
      const read = (limit: number, last: Row | undefined) => {
        const after = last === undefined ? position : positionOf(last);
        return collection.find({ ...base, limit, ...(after !== undefined && { after }) });
      };
      const { items, last, hasMore } = await readPartialPage(tenant, request, { read, present });
      return { items, ...(hasMore && last !== undefined && { position: positionOf(last) }) };
    },
    at: async (start, request) => {
      const read = (limit: number, last: Row | undefined) =>
        collection.find({ ...base, limit, ...(last === undefined ? { offset: start } : { after: positionOf(last) }) });
      return (await readCompletePage(tenant, request, { read, present })).items;
    },
    count: async () => collection.count(conditions, filter),
  });
}

/**
 * Returns the order that the `sort` parameter requests, or else the default order of the list.
 * @throws {PosternError} `invalid_request`. For an unknown name, the message contains the known ones.
 */
export function sortOf<Row, Item>(text: string | undefined, source: Omit<ListSource<Row, Item>, "key">): Sort {
  if (text === undefined) return source.defaultSort;
  const fields = source.sortNames ?? Object.fromEntries(source.description.sortable.map((field) => [field, field]));
  const { field: name, direction } = parseSort(text, Object.keys(fields).filter(isShown(source)));
  return { field: fields[name] ?? name, direction };
}

/** Combines `only` and `q` into conditions for the data store. */
export function filterConditions<Row, Item>(
  q: string | undefined,
  source: ConditionSource<Row, Item>,
): { readonly match?: Match<AnyRow>; readonly filter?: Filter } {
  const { collection, description, only = [] } = source;
  const unseen = only.flatMap(fieldsOf).find((field) => !isShown(source)(field));
  if (unseen !== undefined) throw invalidInput("query", `'${unseen}' cannot be used as a filter, because the token cannot read it`);
  const queryCondition = q === undefined ? undefined : searchCondition(q, searchable(source));
  const all = queryCondition === undefined ? only : [...only, queryCondition];
  const [first, ...others] = all;
  if (first === undefined) return {};
  const filter = others.length === 0 ? first : { and: all };
  if (collection.filters === true) return { filter };
  const match = flatten(filter, description);
  if (match === undefined) throw invalidInput("query", "'q' is too complex for the data store");
  return { match };
}

function fieldsOf(filter: Filter): readonly string[] {
  if ("and" in filter) return filter.and.flatMap(fieldsOf);
  if ("or" in filter) return filter.or.flatMap(fieldsOf);
  return "not" in filter ? fieldsOf(filter.not) : [filter.field];
}

/** Returns the searchable fields of the list that the caller may see. */
function searchable<Row, Item>(source: ConditionSource<Row, Item>): SearchTable | undefined {
  const { search, shown } = source;
  if (search === undefined || shown === undefined) return search;
  const sees = isShown(source);
  return {
    ...search,
    fields: Object.fromEntries(Object.entries(search.fields).filter(([name]) => sees(name))),
    words: (search.words ?? []).filter(({ field }) => sees(field)),
  };
}

/**
 * Returns a function that checks whether the caller may see a field. For a nested field such as
 * `identities.connection`, the function checks the top-level field.
 */
function isShown<Row, Item>({ shown }: ConditionSource<Row, Item>): (name: string) => boolean {
  return (name) => shown === undefined || shown.includes(name.split(".", 1)[0] ?? "");
}

/**
 * Parses `q`.
 * @throws {PosternError} `invalid_request` with the position of a syntax error.
 */
function searchCondition(q: string, search: SearchTable | undefined): Filter | undefined {
  if (search === undefined) throw new Error("a list whose query may contain 'q' must have searchable fields");
  try {
    return compileQuery(q, search);
  } catch (error) {
    if (error instanceof QueryError) throw invalidInput("query", `'q' at character ${error.position}: ${error.message}`);
    throw error;
  }
}

/** Returns a condition that matches rows in which the field has one of these values. */
export function isAnyOf(field: string, ...values: readonly Scalar[]): Filter {
  const [value, ...others] = values.map((one) => ({ field, op: "eq", value: one }) as const);
  return value !== undefined && others.length === 0 ? value : { or: value === undefined ? [] : [value, ...others] };
}
