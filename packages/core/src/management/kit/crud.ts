import type * as z from "zod";
import type { CountedRow } from "../../store/change-row.ts";
import type { Collection, Filter, Match } from "../../store/contract.ts";
import type { CollectionDescription } from "../../store/description.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import type { Auth0ErrorCode } from "../../errors.ts";
import type { FieldSelection } from "../../http/field-selection.ts";
import { listFieldSelectionSchema, listResponse, type Listing, type ListQuery, type Sort } from "../../http/pagination.ts";
import type { ErrorText, FurtherScopes, Route, RouteDefinition } from "../../http/route.ts";
import type { Scope } from "../../model/scopes.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { recordActions } from "./record-actions.ts";

/** The fields that every new row has. */
type CommonFields = "revision" | "created_at" | "updated_at" | "deleting_at";

/** A new row, and data that is returned only when the resource is created, such as a secret. */
interface NewRecord<Row> {
  readonly record: Omit<Row, CommonFields>;
  readonly extra?: object;
}

/** A resource of the Management API with the operations create, list, read, update and delete on one collection. */
export interface Resource<Row, Item, Create extends z.ZodType, Update extends z.ZodType, Query extends z.ZodType<ListQuery>> {
  /** For example `/api/v2/roles`. */
  readonly path: `/api/v2/${string}`;
  /** The singular noun with its article, for the OpenAPI document: `a role`. */
  readonly noun: string;
  readonly scopes: { readonly [verb in "read" | "create" | "update" | "delete"]: readonly [Scope, ...Scope[]] };
  /** See {@link RouteDefinition.furtherScopes}. */
  readonly furtherScopes?: { readonly [verb in "create" | "update"]?: readonly FurtherScopes<Scope>[] };
  /**
   * The fields that a caller may see, if some scopes do not reveal all fields: see {@link
   * RouteDefinition.visibleFields}. The description explains this in the OpenAPI document.
   */
  readonly visibility?: { readonly fields: NonNullable<RouteDefinition["visibleFields"]>; readonly description: string };
  readonly description: CollectionDescription;
  collection(data: TenantData): Collection<Row>;
  /** The name of the list in the response body. */
  readonly key: string;
  readonly notFound: Auth0ErrorCode | undefined;
  /** Description of the 404 response to a create request whose body refers to something that does not exist. */
  readonly missingReference?: ErrorText;
  readonly item: z.ZodType<Item, Item>;
  /** The schema of the response to a create request, if it has more fields than `item`. */
  readonly created?: z.ZodType;
  readonly create: Create;
  readonly update: Update;
  readonly search?: SearchTable;
  readonly defaultSort?: Sort;
  /** The query of the route that reads one item. Default: the selection of fields. */
  readonly itemQuery?: z.ZodType<FieldSelection>;
  /** The query of the list route. `listWhere` and `listOnly` convert its additional parameters to conditions. */
  readonly listQuery: Query;
  listWhere?(query: z.output<Query>, context: ManagementContext): Match<Row> | Promise<Match<Row>>;
  /** Returns conditions that no index covers. They are checked for each row of the list. */
  listOnly?(query: z.output<Query>): readonly Filter[];
  /** Returns a list of items that are not stored in the collection, or undefined to read the collection. */
  listInstead?(query: z.output<Query>, context: ManagementContext): Promise<Listing<Item>> | undefined;
  /**
   * Creates a row from a request body. Checks what a schema cannot check, and reserves values that are unique across
   * tenants.
   */
  toRecord(body: z.output<Create>, context: ManagementContext): Promise<NewRecord<Row>>;
  /** Returns the fields that an update sets, or undefined if the row stays unchanged. */
  toChange(row: Row, body: z.output<Update>, context: ManagementContext): Promise<Partial<Row> | undefined>;
  /** Runs after a create or update, with the same body. Must be idempotent. */
  afterWrite?(row: Row, body: z.output<Create> | z.output<Update>, context: ManagementContext): Promise<void>;
  /** Converts rows to items of a response. */
  present(rows: readonly Row[], context: ManagementContext): readonly Item[] | Promise<readonly Item[]>;
  /** Finds a row by the path parameter, if the parameter may be something other than the ID. */
  find?(id: string, context: ManagementContext): Promise<Row | undefined>;
  /** Throws if the row must not be deleted. */
  checkRemoval?(row: Row, context: ManagementContext): Promise<void>;
  /**
   * Deletes everything that belongs to a row. The row itself is deleted afterwards. Must be idempotent: if the limit or
   * a crash stops this function, the next call or `sweep` completes the deletion.
   * @returns `"keep"` if `sweep` deletes the row later.
   */
  removeChildren?(row: Row, tenant: RequestTenant, limit: WorkLimit): Promise<void | "keep">;
  /**
   * Returns replacement names for a row whose deletion continues after the response, so that a new row can have the
   * original names. Without this function, the names stay reserved until `sweep` has deleted the row.
   */
  freedNames?(row: Row): Partial<Row>;
}

/** Declares the five routes of a resource. */
export function crud<Row extends CountedRow, Item, Create extends z.ZodType, Update extends z.ZodType, Query extends z.ZodType<ListQuery>>(
  resource: Resource<Row, Item, Create, Update, Query>,
): readonly Route[] {
  const { path, noun, scopes, furtherScopes: further = {}, item } = resource;
  const { page, create, get, change, remove } = recordActions(resource);
  const missing = resource.notFound ?? { error: "not_found" };
  const visibility = resource.visibility && { visibleFields: resource.visibility.fields, description: resource.visibility.description };

  return [
    route({
      method: "GET",
      path,
      summary: `List ${resource.key.replaceAll("_", " ")}`,
      scopes: scopes.read,
      query: resource.listQuery,
      ...visibility,
      responses: { 200: listResponse(resource.key, item) },
    })(async ({ query }, context) => page(query, context)),
    route({
      method: "POST",
      path,
      summary: `Create ${noun}`,
      scopes: scopes.create,
      ...(further.create && { furtherScopes: further.create }),
      body: resource.create,
      responses: {
        201: resource.created ?? item,
        ...(resource.missingReference && { 404: resource.missingReference }),
        409: { error: "conflict" },
      },
    })(async ({ body }, context) => create(body, context)),
    route({
      method: "GET",
      path: `${path}/:id`,
      summary: `Get ${noun}`,
      scopes: scopes.read,
      query: resource.itemQuery ?? listFieldSelectionSchema,
      ...visibility,
      responses: { 200: item, 404: missing },
    })(async ({ params }, context) => get(params.id, context)),
    route({
      method: "PATCH",
      path: `${path}/:id`,
      summary: `Update ${noun}`,
      scopes: scopes.update,
      ...(further.update && { furtherScopes: further.update }),
      body: resource.update,
      responses: { 200: item, 404: missing, 409: { error: "conflict" } },
    })(async ({ params, body }, context) => change(params.id, body, context)),
    route({
      method: "DELETE",
      path: `${path}/:id`,
      summary: `Delete ${noun}`,
      description: "Returns 204 even if it does not exist, so that a call can be retried.",
      scopes: scopes.delete,
      responses: { 204: null },
    })(async ({ params }, context) => remove(params.id, context)),
  ];
}
