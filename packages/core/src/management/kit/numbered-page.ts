import type { AnyRow } from "../../store/contract.ts";
import type { Scalar } from "../../store/value.ts";
import { pageOffset } from "../../http/pagination.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { readCompletePage } from "./read-page.ts";
import { filterConditions, sortOf, type ListSource } from "./list.ts";

/** The query of a list whose first page is 1 and whose response contains the page number. */
interface NumberedQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly sort?: string;
  readonly q?: string;
}

/** A page of a list whose first page is 1. */
interface NumberedPage<Item> {
  readonly items: Item[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

/** The default page size. */
const defaultPerPage = 50;

/** Returns a page of a list with numbered pages. */
export async function numberedPage<Row extends AnyRow, Item>(
  tenant: RequestTenant,
  { page = 1, per_page: perPage = defaultPerPage, sort, q }: NumberedQuery,
  source: Omit<ListSource<Row, Item>, "key" | "firstPage" | "perPage" | "within">,
): Promise<NumberedPage<Item>> {
  const { collection, description, where, present } = source;
  const by = sortOf(sort, source);
  const listedBy = description.listedBy === undefined ? [] : [description.listedBy];
  const fields = [...new Set([...listedBy, by.field, ...description.key])];
  const { match, filter } = filterConditions(q, source);
  const conditions = { ...where, ...match };
  const read = (limit: number, last: Row | undefined) =>
    collection.find({
      where: conditions,
      orderBy: { fields, direction: by.direction },
      limit,
      // Every sort field contains scalars and is never null.
      ...(last === undefined ? { offset: pageOffset(page, perPage, 1) } : { after: fields.map((field) => last[field] as Scalar) }),
      ...(filter !== undefined && { filter }),
    });
  const request = { take: perPage, selection: {}, advice: "request fewer items with 'per_page'" };
  const [{ items }, total] = await Promise.all([
    readCompletePage(tenant, request, { read, present }),
    collection.count(conditions, filter),
  ]);
  return { items: [...items], total, page, per_page: perPage };
}
