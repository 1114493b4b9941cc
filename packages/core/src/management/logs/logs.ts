import { findOne } from "../../store/find-one.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import { logSettleTime } from "../../logs/audit.ts";
import * as z from "zod";
import type { SearchTable } from "../../store/q/fields.ts";
import { schema } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { invalidCursor, listResponse, searchQuerySchema, selectsCheckpoint } from "../../http/pagination.ts";
import { Reply } from "../../http/route.ts";
import { logEventSchema, sortNames, toLog } from "../../model/logs/logs.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { listRoute } from "../kit/list.ts";

const search: SearchTable = {
  fields: {
    log_id: { field: "log_id", type: "string" },
    date: { field: "log_id", type: "ulid-time" },
    type: { field: "type", type: "string" },
    client_id: { field: "client_id", type: "string" },
    client_name: { field: "client_name", type: "string" },
    connection: { field: "connection", type: "string" },
    connection_id: { field: "connection_id", type: "string" },
    organization_id: { field: "organization_id", type: "string" },
    user_id: { field: "user_id", type: "string" },
    user_name: { field: "user_name", type: "string" },
    ip: { field: "ip", type: "string" },
    hostname: { field: "hostname", type: "string" },
    strategy: { field: "strategy", type: "string" },
    details: { field: "details", type: "object" },
  },
};

const scopes = ["read:logs", "read:logs_users"] as const;

/**
 * Lists audit events, newest first. With `from` and `take`, the response is an array of the events after the event
 * `from`, oldest first, and its `Link` header contains the URL of the next page. Export tools use this form to follow
 * the log.
 */
const listLogs = route({
  method: "GET",
  path: "/api/v2/logs",
  summary: "List and search audit events",
  scopes,
  query: searchQuerySchema.extend({ search: z.string().max(1000).exactOptional() }),
  responses: { 200: listResponse("logs", logEventSchema) },
})(async ({ query, request }, { tenant }) => {
  if (selectsCheckpoint(query, tenant.config.firstPage)) {
    const events = await followLogs(tenant, query.from, query.take ?? 50);
    return new Reply(events, { headers: linkToNext(tenant, request, events) });
  }
  const { search: q = query.q, ...rest } = query;
  return listRoute(tenant, q === undefined ? rest : { ...rest, q }, {
    collection: tenant.data.logs,
    description: schema.logs,
    where: {},
    key: "logs",
    defaultSort: { field: "log_id", direction: "desc" },
    sortNames,
    search,
    present: (rows) => rows.map(toLog),
  });
});

async function followLogs(
  tenant: RequestTenant,
  from: string | undefined,
  take: number,
): Promise<readonly z.infer<typeof logEventSchema>[]> {
  const { logs } = tenant.data;
  const start = from === undefined ? undefined : await findOne(logs, { log_id: from });
  if (from !== undefined && start === undefined) throw invalidCursor();
  const rows = await logs.find({
    where: { log_id: { lt: firstUlidAt(tenant.now() - logSettleTime + 1) } },
    orderBy: { fields: ["log_id"], direction: "asc" },
    limit: take,
    ...(start !== undefined && { after: [start.log_id] }),
  });
  return rows.map(toLog);
}

/**
 * Returns the `Link` header (RFC 8288) for the next page, with the same query. An empty page is the last page and has
 * no such header. A page with fewer events than requested has one, because new events may follow.
 */
function linkToNext(
  { urls }: RequestTenant,
  request: Request,
  events: readonly z.infer<typeof logEventSchema>[],
): { readonly [name: string]: string } {
  const last = events.at(-1);
  if (last === undefined) return {};
  const query = new URL(request.url).searchParams;
  query.set("from", last.log_id);
  return { link: `<${urls.urlFor("/api/v2/logs")}?${query.toString()}>; rel="next"` };
}

const getLog = route({
  method: "GET",
  path: "/api/v2/logs/:id",
  summary: "Get an audit event",
  scopes,
  responses: { 200: logEventSchema, 404: { error: "not_found" } },
})(async ({ params }, { tenant }) => {
  const row = await findOne(tenant.data.logs, { log_id: params.id });
  if (row === undefined) throw new PosternError("not_found", "there is no such event");
  return toLog(row);
});

export const logRoutes = [listLogs, getLog];
