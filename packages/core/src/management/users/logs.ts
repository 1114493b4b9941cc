import { schema } from "../../store/schema.ts";
import { listQuerySchema, listResponse } from "../../http/pagination.ts";
import { logEventSchema, sortNames, toLog } from "../../model/logs/logs.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { findPrimary } from "./find-user.ts";
import { listRoute } from "../kit/list.ts";

/** The route that lists the audit events of one user, newest first. */
export const userLogs = route({
  method: "GET",
  path: "/api/v2/users/:id/logs",
  summary: "List a user's audit events",
  scopes: ["read:logs", "read:logs_users"],
  query: listQuerySchema,
  responses: { 200: listResponse("logs", logEventSchema), 404: "inexistent_user" },
})(async ({ params, query }, { tenant }) => {
  const { user_id: userId } = await findPrimary(tenant, params.id);
  return listRoute(tenant, query, {
    collection: tenant.data.logs,
    description: schema.logs,
    where: { user_id: userId },
    within: userId,
    key: "logs",
    defaultSort: { field: "log_id", direction: "desc" },
    sortNames,
    present: (rows) => rows.map(toLog),
  });
});
