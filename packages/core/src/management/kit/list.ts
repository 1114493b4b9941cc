import type { AnyRow, Collection, Filter, Match } from "../../store/contract.ts";
import type { CollectionDescription } from "../../store/description.ts";
import { compileQuery } from "../../store/q/compile.ts";
import { QueryError } from "../../store/q/error.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { flatten } from "../../store/q/flatten.ts";
import type { Scalar } from "../../store/value.ts";
import { parseSort, type Listing, type ListQuery, type Sort } from "../../http/pagination.ts";
import { invalidInput } from "../../http/validation.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { answerPage } from "./page.ts";
import { readCompletePage, readPartialPage } from "./read-page.ts";

/** What a list is made from. */
export interface ListSource<Row, Item> {
  readonly collection: Collection<Row>;
  readonly description: CollectionDescription;
  /** Conditions that hold for every row of the list, and that an index answers in any order of the list. */
  readonly where: Match<Row>;
  /** Conditions without an index of their own: each row of the list is looked at. */
  readonly only?: readonly Filter[];
  /** What the list is part of, where its path names something: a cursor is good for that alone. */
  readonly within?: string;
  /** The envelope's name for the items. */
  readonly key: string;
  readonly defaultSort: Sort;
  /** Fields that `q` may name; left out, `q` is refused. */
  readonly search?: SearchTable;
  /** The fields that the caller is shown: it searches and sorts by no others, which would tell what is in them. Left out: all. */
  readonly shown?: readonly string[] | undefined;
  /** Items of a page where the caller says nothing. */
  readonly perPage?: number;
  /** The number of the first page, where the installation's choice does not hold. */
  readonly firstPage?: number;
  /** Turns a page of rows into items, with whatever else they need. */
  present(rows: readonly Row[]): Promise<readonly Item[]> | readonly Item[];
}

/** What of a {@link ListSource} its conditions are made from. */
type ConditionSource<Row, Item> = Pick<ListSource<Row, Item>, "collection" | "description" | "only" | "search" | "shown">;

/** Lists the rows of a collection, in the style that was asked for (spec section 4.1). */
export async function list<Row extends AnyRow, Item>(
  tenant: Tenant,
  query: ListQuery,
  source: ListSource<Row, Item>,
): Promise<Listing<Item>> {
  const { collection, description, where, key, perPage, firstPage, present } = source;
  const sort = query.sort === undefined ? source.defaultSort : parseSort(query.sort, description.sortable.filter(isShown(source)));
  const orderBy = { fields: [sort.field, ...description.key.filter((field) => field !== sort.field)], direction: sort.direction };
  const { match, filter } = filterConditions(query.q, source);
  const conditions = { ...where, ...match };
  const base = { where: conditions, orderBy, ...(filter !== undefined && { filter }) };
  // Lists are ordered by fields that hold scalars and are never null.
  const positionOf = (row: Row): readonly Scalar[] => orderBy.fields.map((field) => row[field] as Scalar);

  return answerPage(tenant, query, {
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

/** `only` and `q` as conditions that the store understands. */
export function filterConditions<Row, Item>(
  q: string | undefined,
  source: ConditionSource<Row, Item>,
): { readonly match?: Match<AnyRow>; readonly filter?: Filter } {
  const { collection, description, only = [] } = source;
  const unseen = only.flatMap(fieldsOf).find((field) => !isShown(source)(field));
  if (unseen !== undefined) throw invalidInput("query", `'${unseen}' is not shown to this token, and filters nothing`);
  const asked = q === undefined ? undefined : searchCondition(q, searchable(source));
  const all = asked === undefined ? only : [...only, asked];
  const [first, ...others] = all;
  if (first === undefined) return {};
  const filter = others.length === 0 ? first : { and: all };
  if (collection.filters === true) return { filter };
  const match = flatten(filter, description);
  if (match === undefined) throw invalidInput("query", "'q' is more than this installation's data store can answer");
  return { match };
}

function fieldsOf(filter: Filter): readonly string[] {
  if ("and" in filter) return filter.and.flatMap(fieldsOf);
  if ("or" in filter) return filter.or.flatMap(fieldsOf);
  return "not" in filter ? fieldsOf(filter.not) : [filter.field];
}

/** What `q` may name: of what the list knows the fields that the caller is shown. */
function searchable<Row, Item>(source: ConditionSource<Row, Item>): SearchTable | undefined {
  const { search, shown } = source;
  if (search === undefined || shown === undefined) return search;
  const sees = isShown(source);
  return {
    fields: Object.fromEntries(Object.entries(search.fields).filter(([name]) => sees(name))),
    words: (search.words ?? []).filter(({ field }) => sees(field)),
  };
}

/** Whether a caller is shown a field; of one inside a field (`identities.connection`), that field. */
function isShown<Row, Item>({ shown }: ConditionSource<Row, Item>): (name: string) => boolean {
  return (name) => shown === undefined || shown.includes(name.split(".", 1)[0] ?? "");
}

/** @throws {PosternError} `invalid_request` with the position of a fault. */
function searchCondition(q: string, search: SearchTable | undefined): Filter | undefined {
  if (search === undefined) throw invalidInput("query", "'q' is not supported by this list");
  try {
    return compileQuery(q, search);
  } catch (error) {
    if (error instanceof QueryError) throw invalidInput("query", `'q' at character ${error.position}: ${error.message}`);
    throw error;
  }
}

/** The condition that a field has one of these values. */
export function isOneOf(field: string, ...values: readonly Scalar[]): Filter {
  const [value, ...others] = values.map((one) => ({ field, op: "eq", value: one }) as const);
  return value !== undefined && others.length === 0 ? value : { or: value === undefined ? [] : [value, ...others] };
}
