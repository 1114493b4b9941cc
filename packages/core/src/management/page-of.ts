import { ListQuery, type Listing } from "../http/pagination.ts";
import type * as z from "zod";
import { invalidInput } from "../http/validation.ts";

/** How a short list is asked for that is read whole and cut into pages: what one user or one role has. */
export const ShortListQuery = ListQuery.pick({
  page: true,
  per_page: true,
  include_totals: true,
  fields: true,
  include_fields: true,
  from: true,
  take: true,
});

/** Cuts a page out of a list, in the styles of spec section 4.1. The cursor of checkpoint style is the number of items before it. */
export function pageOf<Item>(items: readonly Item[], key: string, query: z.output<typeof ShortListQuery>): Listing<Item> {
  if (query.from !== undefined || query.take !== undefined) {
    const take = query.take ?? 50;
    const start = readPosition(query.from, items.length);
    const next = start + take;
    return { [key]: items.slice(start, next), ...(next < items.length && { next: String(next) }) };
  }
  const limit = query.per_page ?? 10;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit);
  return query.include_totals === true ? { [key]: page, start, limit, length: page.length, total: items.length } : page;
}

function readPosition(from: string | undefined, length: number): number {
  if (from === undefined) return 0;
  const position = Number(from);
  if (!/^\d{1,9}$/.test(from) || position > length) throw invalidInput("query", "'from' is not a cursor of this list");
  return position;
}
