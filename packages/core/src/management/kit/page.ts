import type { Scalar } from "../../store/value.ts";
import { startOf, type Listing, type PageQuery } from "../../http/pagination.ts";
import { invalidInput } from "../../http/validation.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { PageRequest } from "./read-page.ts";
import { openCursor, sealCursor } from "./cursor.ts";

/** Items of a checkpoint page where the caller says nothing. */
export const usualTake = 50;

/** A stretch of a list. */
export interface Stretch<Item> {
  readonly items: readonly Item[];
  /** Where to go on; left out at the end. */
  readonly position?: readonly unknown[];
}

/** A list that can be read in both styles of spec section 4.1. */
export interface Pages<Item> {
  /** What the list is. A cursor is good for that, and for the same question, alone. */
  readonly list: readonly unknown[];
  /** The envelope's name for the items. */
  readonly key: string;
  /** Items of an offset page where the caller says nothing. Default 10. */
  readonly perPage?: number;
  /** The number of the first page, where the installation's choice does not hold. */
  readonly firstPage?: number;
  /** Up to `take` items after a position, or from the start; fewer if they are large. */
  after(position: readonly Scalar[] | undefined, request: PageRequest): Promise<Stretch<Item>>;
  /** All of up to `take` items, without the first `start`. @throws {PosternError} `invalid_request` if they are too large for one reply. */
  at(start: number, request: PageRequest): Promise<readonly Item[]>;
  count(): Promise<number>;
}

/** Answers a list in the style that was asked for. Only `include_totals` pays for a count. */
export async function answerPage<Item>(tenant: Tenant, query: PageQuery, pages: Pages<Item>): Promise<Listing<Item>> {
  const { key } = pages;
  if (query.from !== undefined || query.take !== undefined) {
    if (query.page !== undefined) throw invalidInput("query", "'page' and 'from' exclude each other");
    const { from, take = usualTake, fields: _, include_fields: __, ...asked } = query;
    const list = [...pages.list, asked];
    const { items, position } = await pages.after(from === undefined ? undefined : await openCursor(tenant, from, list), {
      take,
      selection: query,
    });
    return { [key]: items, ...(position !== undefined && { next: await sealCursor(tenant, position, list) }) };
  }

  const limit = query.per_page ?? pages.perPage ?? 10;
  const start = startOf(query.page, limit, pages.firstPage ?? tenant.config.firstPage);
  const [items, total] = await Promise.all([
    limit === 0 ? [] : pages.at(start, { take: limit, selection: query }),
    query.include_totals === true ? pages.count() : undefined,
  ]);
  return total === undefined ? items : { [key]: items, start, limit, length: items.length, total };
}
