import * as z from "zod";
import type { AnyRow, Collection } from "../../store/contract.ts";
import type { CollectionDescription } from "../../store/description.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { listQuerySchema, listResponse, searchQuerySchema } from "../../http/pagination.ts";
import { selectsField } from "../../http/field-selection.ts";
import type { Route, RouteDefinition } from "../../http/route.ts";
import type { Scope } from "../../model/scopes.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import { listRoute } from "./list.ts";
import { defaultTake } from "./page.ts";

/** A resource whose records can be searched with `GET {path}/search`. */
interface SearchSource<Row, Item> {
  readonly path: `/api/v2/${string}`;
  /** The name of the operation in the in-process API. */
  readonly operation: `${string}.search`;
  /** The name of the list in the response body. */
  readonly key: string;
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly visibleFields?: NonNullable<RouteDefinition["visibleFields"]>;
  readonly description: CollectionDescription;
  collection(data: TenantData): Collection<Row>;
  readonly item: z.ZodType<Item, Item>;
  /** The fields that `q` may contain. An index covers each of them, so no field allows `contains`. */
  readonly search: SearchTable;
  /** The fields by which callers can sort. An index covers each of them. */
  readonly sorts: readonly [string, ...string[]];
  /** The fields that a response without `fields` omits. */
  readonly omitted?: readonly string[];
  /** Converts rows to items. Data of fields that are not selected need not be read. */
  present(
    rows: readonly Row[],
    context: ManagementContext,
    isSelected: (field: string) => boolean,
  ): readonly Item[] | Promise<readonly Item[]>;
}

const parserSchema = z.literal("lucene").meta({ description: "The syntax of `q`. Auth0's `scim` is not supported" });

/**
 * Declares the route that searches a resource. The response is always a page with a cursor. The order is ascending, by
 * default the order of creation.
 */
export function searchRoute<Row extends AnyRow, Item>(source: SearchSource<Row, Item>): Route {
  const { path, key, search, sorts, omitted, visibleFields: visible } = source;
  const plural = key.replaceAll("_", " ");
  const query = listQuerySchema.pick({ from: true, take: true, fields: true, include_fields: true }).extend({
    q: searchQuerySchema.shape.q.meta({
      description: `A search in Lucene syntax, at most 1000 characters. Fields: ${Object.keys(search.fields).join(", ")}. \`name:Acme*\` matches the start of a text, and a word without a field the start of a name`,
    }),
    parser: parserSchema.exactOptional(),
    sort: z.enum(sorts).exactOptional().meta({ description: "A field, in ascending order. Default: the order of creation" }),
  });
  const withDefault = query.overwrite((asked) =>
    asked.fields === undefined && omitted !== undefined ? { ...asked, fields: omitted.join(","), include_fields: false } : asked,
  );
  return route({
    method: "GET",
    path: `${path}/search`,
    operation: source.operation,
    summary: `Search ${plural}`,
    description:
      "Searches fields that an index covers: the exact value, the start of a text, or a range. Every alternative of `OR` needs such a condition, and `NOT` and `_exists_` can only narrow it. A wildcard elsewhere, an unknown field and a syntax error are rejected with their position. The response includes every earlier write.",
    scopes: source.scopes,
    query: withDefault,
    ...(visible && { visibleFields: visible }),
    responses: { 200: listResponse(key, source.item, "cursor") },
  })(async ({ query: asked }, context) =>
    listRoute(
      context.tenant,
      { ...asked, take: asked.take ?? defaultTake },
      {
        collection: source.collection(context.tenant.data),
        description: source.description,
        where: {},
        within: "search",
        key,
        defaultSort: { field: "created_at", direction: "asc" },
        search: { ...search, isIndexed: true },
        shown: visible?.({ ...context.caller, params: {} }),
        present: (rows: readonly Row[]) => source.present(rows, context, (field) => selectsField(asked, field)),
      },
    ),
  );
}
