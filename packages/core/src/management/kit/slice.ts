import type * as z from "zod";
import type { Scalar } from "../../store/value.ts";
import { completePage, invalidCursor, pagingQuerySchema, selectsCheckpoint, type Listing, type PageQuery } from "../../http/pagination.ts";
import { queryInteger } from "../../model/fields.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import { readCompletePage, readPartialPage, type PageRequest, type PageSource } from "./read-page.ts";
import { paginate, defaultTake, type ListSection } from "./page.ts";

/**
 * The query of a list that is returned completely unless `take` limits it, as in Auth0's lists of connections and
 * clients. The other paging parameters only select the first page, which is the complete list.
 */
export const sliceQuerySchema = pagingQuerySchema.extend({ take: queryInteger(1, 1000).exactOptional() });

/** A part of a list, with the cursor for the next part. */
interface Slice<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/**
 * Returns a part of a list that is already in memory.
 * @param list identifies the list. A cursor is valid only for this list.
 */
export async function sliceOf<Item>(
  tenant: RequestTenant,
  all: readonly Item[],
  query: z.output<typeof sliceQuerySchema>,
  list: readonly unknown[],
): Promise<Slice<Item>> {
  const { firstPage } = tenant.config;
  if (!selectsCheckpoint(query, firstPage)) return { items: completePage(all, query, firstPage) };
  const { from, take = defaultTake } = query;
  const { items, position } = await cut(tenant, all, await openCursor(tenant, from, list), { take, selection: {} });
  return { items, ...(position !== undefined && { next: await sealCursor(tenant, position, list) }) };
}

/**
 * Returns a list that is already in memory in the pagination style that the request selects.
 * @param list as for {@link sliceOf}.
 */
export async function pageReply<Item>(
  tenant: RequestTenant,
  query: PageQuery,
  all: readonly Item[],
  { key, list }: { readonly key: string; readonly list: readonly unknown[] },
): Promise<Listing<Item>> {
  return paginate(tenant, query, {
    list,
    key,
    after: (position, request) => cut(tenant, all, position, request),
    at: async (start, request) => (await readCompletePage(tenant, request, sourceOf(all, start))).items,
    count: async () => all.length,
  });
}

/** Returns the items after a position. The position is the number of items before it. */
async function cut<Item>(
  tenant: RequestTenant,
  all: readonly Item[],
  position: readonly Scalar[] = [0],
  request: PageRequest,
): Promise<ListSection<Item>> {
  const [start] = position;
  if (typeof start !== "number") throw invalidCursor();
  const { items, rows, hasMore } = await readPartialPage(tenant, request, sourceOf(all, start));
  return { items, ...(hasMore && { position: [start + rows] }) };
}

function sourceOf<Item>(all: readonly Item[], start: number): PageSource<Item, Item> {
  let next = start;
  return {
    read: async (count) => all.slice(next, (next += count)),
    present: (items) => items,
  };
}
