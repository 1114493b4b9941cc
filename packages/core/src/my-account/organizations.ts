import * as z from "zod";
import { organizationsOf } from "../identity/organizations/members.ts";
import { meRoute } from "./me-route.ts";

/** Lists the organizations of which the user is a member. An addition of Postern. */
export const listMyOrganizations = meRoute({
  method: "GET",
  path: "/me/v1/organizations",
  summary: "List the organizations of the user",
  scopes: ["read:me:organizations"],
  responses: {
    200: z.strictObject({
      organizations: z.array(z.strictObject({ id: z.string(), name: z.string(), display_name: z.string().exactOptional() })),
    }),
    401: { error: "invalid_token" },
    403: { error: "insufficient_scope" },
  },
})(async (_, { tenant, mfaToken }) => ({
  organizations: (await organizationsOf(tenant.data, mfaToken.user.user_id)).map(({ id, name, display_name: shown }) => ({
    id,
    name,
    ...(shown !== "" && { display_name: shown }),
  })),
}));
