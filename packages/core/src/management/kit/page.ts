import type { Scalar } from "../../store/value.ts";
import { pageOffset, type Listing, type PageQuery } from "../../http/pagination.ts";
import { invalidInput } from "../../http/validation.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { PageRequest } from "./read-page.ts";
import { openCursor, sealCursor } from "./cursor.ts";

/** The default size of a checkpoint page. */
export const defaultTake = 50;

/** A section of a list. */
export interface ListSection<Item> {
  readonly items: readonly Item[];
  /** The position of the next section; omitted at the end. */
  readonly position?: readonly unknown[];
}

/** A list that supports both pagination styles of spec section 4.1. */
interface Pages<Item> {
  /** Identifies the list. A cursor is valid only for this list and the same query. */
  readonly list: readonly unknown[];
  /** The envelope's name for the items. */
  readonly key: string;
  /** The default size of an offset page. Default 10. */
  readonly perPage?: number;
  /** The number of the first page. Default: as configured for the installation. */
  readonly firstPage?: number;
  /** Returns up to `take` items after a position, or from the start; fewer if they are large. */
  after(position: readonly Scalar[] | undefined, request: PageRequest): Promise<ListSection<Item>>;
  /**
   * All of up to `take` items, without the first `start`.
   * @throws {PosternError} `invalid_request` if they are too large for one reply.
   */
  at(start: number, request: PageRequest): Promise<readonly Item[]>;
  count(): Promise<number>;
}

/** Returns a list in the requested pagination style. Only `include_totals` costs a count. */
export async function paginate<Item>(tenant: Tenant, query: PageQuery, pages: Pages<Item>): Promise<Listing<Item>> {
  const { key } = pages;
  if (query.from !== undefined || query.take !== undefined) {
    if (query.page !== undefined) throw invalidInput("query", "'page' and 'from' cannot be combined");
    const { from, take = defaultTake, fields: _, include_fields: __, ...rest } = query;
    const list = [...pages.list, rest];
    const { items, position } = await pages.after(from === undefined ? undefined : await openCursor(tenant, from, list), {
      take,
      selection: query,
    });
    return { [key]: items, ...(position !== undefined && { next: await sealCursor(tenant, position, list) }) };
  }

  const limit = query.per_page ?? pages.perPage ?? 10;
  const start = pageOffset(query.page, limit, pages.firstPage ?? tenant.config.firstPage);
  const [items, total] = await Promise.all([
    limit === 0 ? [] : pages.at(start, { take: limit, selection: query }),
    query.include_totals === true ? pages.count() : undefined,
  ]);
  return total === undefined ? items : { [key]: items, start, limit, length: items.length, total };
}
