import type * as z from "zod";
import type { CountedRow } from "../../store/change-row.ts";
import type { Collection, Filter, Match } from "../../store/contract.ts";
import type { CollectionDescription } from "../../store/description.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import type { Auth0ErrorCode } from "../../errors.ts";
import { FieldSelection, listResponse, type Listing, type ListQuery, type Sort } from "../../http/pagination.ts";
import type { ErrorText, FurtherScopes, Route, RouteDefinition } from "../../http/route.ts";
import type { Scope } from "../../model/scopes.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { recordActions } from "./record-actions.ts";

/** The fields of a new record that every resource has alike. */
type CommonFields = "revision" | "created_at" | "updated_at" | "deleting_at";

/** A new record, and what only the reply to its creation shows (a secret). */
export interface NewRecord<Row> {
  readonly record: Omit<Row, CommonFields>;
  readonly extra?: object;
}

/** A plain resource of the Management API: create, list, read, change and remove, over one collection. */
export interface Resource<Row, Item, Create extends z.ZodType, Update extends z.ZodType, Query extends z.ZodType<ListQuery>> {
  /** For example `/api/v2/roles`. */
  readonly path: `/api/v2/${string}`;
  /** What one is called, with its article, for the documents: `a role`. */
  readonly noun: string;
  readonly scopes: { readonly [verb in "read" | "create" | "update" | "delete"]: readonly [Scope, ...Scope[]] };
  /** See {@link RouteDefinition.furtherScopes}. */
  readonly furtherScopes?: { readonly [verb in "create" | "update"]?: readonly FurtherScopes[] };
  /** What of an item a reader is shown, where not every scope shows all: see {@link RouteDefinition.visibleFields}. With that in words. */
  readonly shows?: { readonly fields: NonNullable<RouteDefinition["visibleFields"]>; readonly description: string };
  readonly description: CollectionDescription;
  collection(data: TenantData): Collection<Row>;
  /** The envelope's name for the items of a list. */
  readonly key: string;
  readonly notFound: Auth0ErrorCode | undefined;
  /** When a creation answers 404: where its body names something that is not there. */
  readonly missingReference?: ErrorText;
  readonly item: z.ZodType<Item, Item>;
  /** What the reply to a creation shows, where that is more than `item`. */
  readonly created?: z.ZodType;
  readonly create: Create;
  readonly update: Update;
  readonly search?: SearchTable;
  readonly defaultSort?: Sort;
  /** The list's query. Where it has parameters of its own, `listWhere` or `listOnly` turns them into conditions. */
  readonly listQuery: Query;
  listWhere?(query: z.output<Query>, context: ManagementContext): Match<Row> | Promise<Match<Row>>;
  /** The same for parameters that no index answers: each row of the list is looked at. */
  listOnly?(query: z.output<Query>): readonly Filter[];
  /** Answers a question about what stands in no collection; undefined: the list is asked. */
  listInstead?(query: z.output<Query>, context: ManagementContext): Promise<Listing<Item>> | undefined;
  /** A new record from a body. Checks what a schema cannot; reserves what is unique across tenants. */
  toRecord(body: z.output<Create>, context: ManagementContext): Promise<NewRecord<Row>>;
  /** The fields that a change sets; undefined where it leaves the record as it is. */
  toChange(row: Row, body: z.output<Update>, context: ManagementContext): Promise<Partial<Row> | undefined>;
  /** What follows a creation or a change, from the same body. Repeatable. */
  afterWrite?(row: Row, body: z.output<Create> | z.output<Update>, context: ManagementContext): Promise<void>;
  /** Records as replies show them. */
  present(rows: readonly Row[], context: ManagementContext): readonly Item[] | Promise<readonly Item[]>;
  /** Finds a record by what stands in the path, where that may be more than its id. */
  find?(id: string, context: ManagementContext): Promise<Row | undefined>;
  /** Refuses the removal of a record that must stay. */
  checkRemoval?(row: Row, context: ManagementContext): Promise<void>;
  /**
   * Deletes everything that belongs to a record, before the record itself. Repeatable. When the limit ends it, or a crash, the next call or `sweep` finishes it.
   * @returns `"keep"` if `sweep` deletes the record itself, later.
   */
  removeChildren?(row: Row, tenant: Tenant, limit: WorkLimit): Promise<void | "keep">;
  /** Names for a record whose deletion goes on after the reply, so that a new record may have its names. Left out: they stay taken until `sweep` has deleted the record. */
  freedNames?(row: Row): Partial<Row>;
}

/** Declares the five routes of a plain resource. */
export function crud<Row extends CountedRow, Item, Create extends z.ZodType, Update extends z.ZodType, Query extends z.ZodType<ListQuery>>(
  resource: Resource<Row, Item, Create, Update, Query>,
): readonly Route[] {
  const { path, noun, scopes, furtherScopes: further = {}, item } = resource;
  const { page, create, get, change, remove } = recordActions(resource);
  const missing = resource.notFound ?? { error: "not_found" };
  const shows = resource.shows && { visibleFields: resource.shows.fields, description: resource.shows.description };

  return [
    route({
      method: "GET",
      path,
      summary: `List ${resource.key.replaceAll("_", " ")}`,
      scopes: scopes.read,
      query: resource.listQuery,
      ...shows,
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
      query: FieldSelection,
      ...shows,
      responses: { 200: item, 404: missing },
    })(async ({ params }, context) => get(params.id, context)),
    route({
      method: "PATCH",
      path: `${path}/:id`,
      summary: `Change ${noun}`,
      scopes: scopes.update,
      ...(further.update && { furtherScopes: further.update }),
      body: resource.update,
      responses: { 200: item, 404: missing, 409: { error: "conflict" } },
    })(async ({ params, body }, context) => change(params.id, body, context)),
    route({
      method: "DELETE",
      path: `${path}/:id`,
      summary: `Delete ${noun}`,
      description: "Answers 204 also when there is nothing to delete, so that a call may be repeated.",
      scopes: scopes.delete,
      responses: { 204: null },
    })(async ({ params }, context) => remove(params.id, context)),
  ];
}
