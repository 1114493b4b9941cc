import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { listFieldSelectionSchema } from "../../http/pagination.ts";
import { emailSchema } from "../../model/email-address.ts";
import { userSchema } from "../../model/users/users.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { idpTokens } from "./idp-tokens.ts";
import { presentUsers } from "../../identity/users/present-users.ts";

/** The route that returns the users who have an account with an email address. */
export const usersByEmail = route({
  method: "GET",
  path: "/api/v2/users-by-email",
  summary: "Find users by email address",
  scopes: ["read:users"],
  query: listFieldSelectionSchema.extend({ email: emailSchema }),
  responses: { 200: z.array(userSchema) },
})(async ({ query }, { tenant, caller }) => {
  const accounts = await tenant.data.users.find({ where: { email: query.email }, limit: 100 });
  const primaries = new Map<string, Row<"users">>(accounts.filter((row) => row.linked_to === "").map((row) => [row.user_id, row]));
  for (const { linked_to: id } of accounts) {
    if (id === "" || primaries.has(id)) continue;
    const primary = await findOne(tenant.data.users, { user_id: id });
    if (primary !== undefined) primaries.set(id, primary);
  }
  return [...(await presentUsers(tenant.data, [...primaries.values()], idpTokens(tenant, caller)))];
});
