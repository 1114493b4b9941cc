import { schema } from "../../store/schema.ts";
import { listQuerySchema, listResponse } from "../../http/pagination.ts";
import { PosternError } from "../../errors.ts";
import { retryDelivery } from "../../identity/sessions/logouts.ts";
import { logoutDeliverySchema, toLogoutDelivery } from "../../model/sessions/logout-deliveries.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { listRoute } from "../kit/list.ts";

const path = "/api/v2/logout-deliveries";

/**
 * The routes for logout tokens that clients have not accepted. A Postern extension: Auth0 has only the log events.
 */
export const logoutDeliveryRoutes = [
  route({
    method: "GET",
    path,
    summary: "List logout tokens that clients have not accepted yet",
    description:
      "OpenID Connect Back-Channel Logout. A delivery that a client accepted is not listed. Failed deliveries are listed for a week.",
    scopes: ["read:sessions"],
    query: listQuerySchema,
    responses: { 200: listResponse("logout_deliveries", logoutDeliverySchema) },
  })(async ({ query }, { tenant }) =>
    listRoute(tenant, query, {
      collection: tenant.data.logout_deliveries,
      description: schema.logout_deliveries,
      where: {},
      key: "logout_deliveries",
      defaultSort: { field: "created_at", direction: "asc" },
      present: (rows) => rows.map(toLogoutDelivery),
    }),
  ),
  route({
    method: "POST",
    path: `${path}/:id/retry`,
    operation: "logoutDeliveries.retry",
    summary: "Send a logout token again",
    description: "The next call of `deliverEvents` sends a new token, also if the delivery has failed.",
    scopes: ["delete:sessions"],
    responses: { 202: null, 404: { error: "not_found" } },
  })(async ({ params }, { tenant }) => {
    if (!(await retryDelivery(tenant, params.id))) throw new PosternError("not_found", "there is no such delivery");
  }),
];
