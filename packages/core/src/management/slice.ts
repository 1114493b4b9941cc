import * as z from "zod";
import { invalidCursor } from "../http/pagination.ts";
import { queryInteger } from "../model/fields.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { openCursor, sealCursor } from "./list.ts";

/** How a list is asked for that is whole unless `take` cuts it, as the vendor's views of connections and clients are. */
export const SliceQuery = z.strictObject({ from: z.string().max(4000).exactOptional(), take: queryInteger(1, 1000).exactOptional() });

/** A part of a list, with the cursor of the next one. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/**
 * Cuts a list that is there as a whole.
 * @param list what the list is: a cursor is good for that alone.
 */
export async function sliceOf<Item>(
  tenant: Tenant,
  all: readonly Item[],
  { from, take = from === undefined ? undefined : 50 }: z.output<typeof SliceQuery>,
  list: readonly unknown[],
): Promise<Slice<Item>> {
  if (take === undefined) return { items: all };
  const name = [tenant.id, ...list];
  const [start] = from === undefined ? [0] : await openCursor(tenant, from, name);
  if (typeof start !== "number") throw invalidCursor();
  const end = start + take;
  return { items: all.slice(start, end), ...(end < all.length && { next: await sealCursor(tenant, [end], name) }) };
}
