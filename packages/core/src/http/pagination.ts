import * as z from "zod";
import type { PosternError } from "../errors.ts";
import { queryBooleanSchema, queryInteger, queryList } from "../model/fields.ts";
import { invalidInput } from "./validation.ts";

/**
 * The query parameters of a list that callers can sort. `page` selects pagination by offset; `from` or
 * `take` selects pagination by checkpoint.
 */
export const listQuerySchema = z.strictObject({
  page: queryInteger(0, 1_000_000).exactOptional().meta({ description: "The first page is 0, or 1 if `pagination.firstPage` is 1" }),
  per_page: queryInteger(0, 100).exactOptional(),
  include_totals: queryBooleanSchema.exactOptional(),
  sort: z.string().max(200).exactOptional(),
  from: z.string().max(4000).exactOptional(),
  take: queryInteger(1, 100).exactOptional(),
  fields: queryList(z.string().max(2000))
    .transform((names) => names.join(","))
    .exactOptional()
    .meta({ description: "A list, separated by commas or as a repeated parameter" }),
  include_fields: queryBooleanSchema.exactOptional(),
});

/** The query parameters of a list that callers can also search. */
export const searchQuerySchema = listQuerySchema.extend({
  q: z.string().max(1000).exactOptional().meta({ description: "A search in Lucene syntax" }),
  search_engine: z.enum(["v1", "v2", "v3"]).exactOptional(),
});

/** The query of a list. It contains `q` only if the list can be searched. */
export type ListQuery = z.output<typeof searchQuerySchema>;

/** The query parameters of a list with a fixed order. */
export const pageQuerySchema = listQuerySchema.omit({ sort: true });

export type PageQuery = z.output<typeof pageQuerySchema>;

/** The query parameters that Auth0's SDKs add to a request for any list. */
export const pagingQuerySchema = listQuerySchema.pick({ page: true, per_page: true, include_totals: true, from: true, take: true });

export type PagingQuery = z.output<typeof pagingQuerySchema>;

/** The query parameters that select fields of a single resource. */
export const listFieldSelectionSchema = listQuerySchema.pick({ fields: true, include_fields: true });

/** The response body of a list: a bare array, or an envelope that contains the items under the resource's name. */
export type Listing<Item> = readonly Item[] | { readonly [name: string]: readonly Item[] | number | string };

/**
 * Returns the schema for a list response: a bare array, an envelope with totals, or a page with a cursor.
 * @param key the name under which envelopes contain the items.
 * @param unpaged the shape of a response to a request without paging parameters. `cursor`: every response is a page
 * with a cursor.
 */
export function listResponse<Item>(
  key: string,
  item: z.ZodType<Item, Item>,
  unpaged: "array" | "checkpoint" | "cursor" = "array",
): z.ZodType<Listing<Item>, Listing<Item>> {
  const items = z.array(item);
  const totals = z.strictObject({ [key]: items, start: z.int(), limit: z.int(), length: z.int(), total: z.int() });
  const checkpoint = z.strictObject({ [key]: items, next: z.string().exactOptional() });
  // The key of the items is known only at run time. `Listing` is the common type of the three schemas.
  const shapes = { array: z.union([items, totals, checkpoint]), checkpoint: z.union([checkpoint, totals, items]), cursor: checkpoint };
  return shapes[unpaged] as unknown as z.ZodType<Listing<Item>, Listing<Item>>;
}

/**
 * Returns the number of items that precede a page.
 * @param firstPage the number of the first page.
 * @throws {PosternError} `invalid_request` if `page` is less than `firstPage`.
 */
export function pageOffset(page: number | undefined, limit: number, firstPage: number): number {
  if (page !== undefined && page < firstPage) throw invalidInput("query", `'page' counts from ${firstPage}`);
  return ((page ?? firstPage) - firstPage) * limit;
}

/**
 * Whether a query selects pagination by checkpoint. `page` may then only be the first page, which Auth0's SDK for Java
 * always sends.
 * @param firstPage the number of the first page.
 * @throws {PosternError} `invalid_request` if the query also selects a later page.
 */
export function selectsCheckpoint({ from, take, page = 0 }: PagingQuery, firstPage: number): boolean {
  if (from === undefined && take === undefined) return false;
  if (page > firstPage) throw invalidInput("query", "'page' and 'from' cannot be combined");
  return true;
}

/**
 * Returns the part of a complete list that a query selects: the first page has every item, and later pages have none.
 * @param firstPage the number of the first page.
 * @throws {PosternError} `invalid_request` for every cursor, because no response contains one.
 */
export function completePage<Item>(items: readonly Item[], { from, page }: PagingQuery, firstPage: number): readonly Item[] {
  if (from !== undefined) throw invalidCursor();
  return pageOffset(page, 1, firstPage) === 0 ? items : [];
}

/** A sort order, parsed from `name:asc`, `name:desc`, `name:1` or `name:-1`. */
export interface Sort {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

const directions: { readonly [word: string]: "asc" | "desc" } = { asc: "asc", "1": "asc", desc: "desc", "-1": "desc" };

/**
 * Parses a `sort` parameter. @throws {PosternError} `invalid_request`. For an unknown field, the message names the
 * sortable fields.
 */
export function parseSort(text: string, sortable: readonly string[]): Sort {
  const [field = "", order = "asc", ...rest] = text.split(":");
  const direction = Object.hasOwn(directions, order) ? directions[order] : undefined;
  if (direction === undefined || rest.length > 0) throw invalidInput("query", "'sort' must be <field>:asc or <field>:desc");
  if (!sortable.includes(field)) throw invalidInput("query", `'sort' must be one of ${sortable.join(", ")}, not '${field}'`);
  return { field, direction };
}

/** Creates the error for a cursor that does not belong to this list. */
export function invalidCursor(): PosternError {
  return invalidInput("query", "'from' is not a cursor from this list");
}
