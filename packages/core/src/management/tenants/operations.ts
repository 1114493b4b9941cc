import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { schema } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { queryInteger, toTimestamp } from "../../model/fields.ts";
import { operationStepSchema, tenantOperationSchema, toTenantOperation } from "../../model/tenant/tenants.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { operationKinds, operationStatuses, stepsOf } from "../../tenants/lifecycle/operations.ts";
import { isAnyOf } from "../kit/list.ts";
import { numberedPage } from "../kit/numbered-page.ts";

const operationListQuerySchema = z.strictObject({
  page: queryInteger(1, 1_000_000).exactOptional().meta({ description: "The first page is 1" }),
  per_page: queryInteger(1, 100).exactOptional().meta({ description: "Default 50" }),
  kind: z.enum(operationKinds).exactOptional(),
  status: z.enum(operationStatuses).exactOptional(),
});

const operationListSchema = z
  .strictObject({ operations: z.array(tenantOperationSchema), total: z.int(), page: z.int(), per_page: z.int() })
  .meta({ id: "TenantOperationList" });
const operationWithStepsSchema = z
  .strictObject({ ...tenantOperationSchema.shape, events: z.array(operationStepSchema) })
  .meta({ id: "TenantOperationWithSteps" });
const reserved = { 403: { error: "forbidden: requires a token of the control plane without an organization" } } as const;
const missing = { 404: { error: "not_found" } } as const;

const listOperations = route({
  method: "GET",
  path: "/tenants/:id/operations",
  operation: "tenants.operations.list",
  summary: "List the operations on a tenant",
  description: "Newest first. Clients also see the operations on deleted tenants.",
  scopes: ["read:tenant_operations"],
  query: operationListQuerySchema,
  responses: { 200: operationListSchema, ...reserved, ...missing },
})(async ({ params, query }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  const since = await managed.seesOperationsSince(params.id);
  const { kind, status, ...page } = query;
  const { items, ...rest } = await numberedPage(tenant, page, {
    collection: managed.operations.operations,
    description: schema.tenant_operations,
    where: { tenant_id: params.id, created_at: { gte: since } },
    only: [...(kind === undefined ? [] : [isAnyOf("kind", kind)]), ...(status === undefined ? [] : [isAnyOf("status", status)])],
    defaultSort: { field: "created_at", direction: "desc" },
    present: (rows) => rows.map(toTenantOperation),
  });
  return { operations: items, ...rest };
});

const getOperation = route({
  method: "GET",
  path: "/operations/:id",
  summary: "Get an operation with its steps",
  description: "`events` contains the steps in the order in which they were reported.",
  scopes: ["read:tenant_operations"],
  responses: { 200: operationWithStepsSchema, ...reserved, ...missing },
})(async ({ params }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  const row = params.id.length > 64 ? undefined : await findOne(managed.operations.operations, { id: params.id });
  const unknown = new PosternError("not_found", "there is no such operation");
  if (row === undefined) throw unknown;
  const since = await managed.seesOperationsSince(row.tenant_id).catch(() => {
    throw unknown;
  });
  if (row.created_at < since) throw unknown;
  const steps = await stepsOf(managed.operations, row.id);
  const events = steps.map(({ name, status, at, detail }) => ({
    name,
    status,
    at: toTimestamp(at),
    ...(Object.keys(detail).length > 0 && { detail }),
  }));
  return { ...toTenantOperation(row), events };
});

const beginOperation = route({
  method: "POST",
  path: "/tenants/:id/operations",
  summary: "Start an operation on a tenant",
  description:
    "An `upgrade` lets the host application update the tenant's database, and synchronizes the shared entities of the control plane. The operation runs after the response: `GET /operations/{id}` returns its progress.",
  scopes: ["create:tenant_operations"],
  body: z.strictObject({ kind: z.literal("upgrade") }).meta({ id: "BeginTenantOperation" }),
  responses: { 201: tenantOperationSchema, ...reserved, ...missing },
})(async ({ params }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  return toTenantOperation(await managed.upgrade(params.id));
});

/** The routes for operations on tenants, and their progress (docs/design/tenants-and-inheritance.md). */
export const tenantOperationRoutes = [listOperations, getOperation, beginOperation];
