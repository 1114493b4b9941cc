import type { Scalar } from "../../store/value.ts";
import { pageOffset, selectsCheckpoint, type Listing, type PageQuery } from "../../http/pagination.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { PageRequest } from "./read-page.ts";
import { openCursor, sealCursor } from "./cursor.ts";

/** The default number of items in a page of checkpoint pagination. */
export const defaultTake = 50;

/** A part of a list. */
export interface ListSection<Item> {
  readonly items: readonly Item[];
  /** The position at which the next part begins. Omitted at the end of the list. */
  readonly position?: readonly unknown[];
}

/** A list that supports both pagination styles. */
interface Pages<Item> {
  /** Identifies the list. A cursor is valid only for the same list and query. */
  readonly list: readonly unknown[];
  /** The name of the list in the response body. */
  readonly key: string;
  /** The default number of items in a page of offset pagination. Default: 10. */
  readonly perPage?: number;
  /** Whether `page` counts from 0 or from 1. Default: `pagination.firstPage` in the options of the host application. */
  readonly firstPage?: number;
  /**
   * Returns up to `take` items after a position, or from the start of the list. Returns fewer items if they are large.
   */
  after(position: readonly Scalar[] | undefined, request: PageRequest): Promise<ListSection<Item>>;
  /**
   * Returns up to `take` items after the first `start` items.
   * @throws {PosternError} `invalid_request` if the items are too large for one response.
   */
  at(start: number, request: PageRequest): Promise<readonly Item[]>;
  count(): Promise<number>;
}

/** Returns a list in the pagination style that the request selects. Counts the items only for `include_totals`. */
export async function paginate<Item>(tenant: RequestTenant, query: PageQuery, pages: Pages<Item>): Promise<Listing<Item>> {
  const { key, firstPage = tenant.config.firstPage } = pages;
  if (selectsCheckpoint(query, firstPage)) {
    const { from, take = defaultTake } = query;
    const list = [...pages.list, conditionsOf(query)];
    const { items, position } = await pages.after(await openCursor(tenant, from, list), { take, selection: query });
    return { [key]: items, ...(position !== undefined && { next: await sealCursor(tenant, position, list) }) };
  }

  const limit = query.per_page ?? pages.perPage ?? 10;
  const start = pageOffset(query.page, limit, firstPage);
  const [items, total] = await Promise.all([
    limit === 0 ? [] : pages.at(start, { take: limit, selection: query }),
    query.include_totals === true ? pages.count() : undefined,
  ]);
  return total === undefined ? items : { [key]: items, start, limit, length: items.length, total };
}

/** Returns the parameters that determine which items a list has, and their order. A cursor is valid only for these. */
function conditionsOf(query: PageQuery): object {
  const { from: _from, take: _take, page: _page, per_page: _size, include_totals: _totals, ...rest } = query;
  const { fields: _fields, include_fields: _include, ...conditions } = rest;
  return conditions;
}
