import * as z from "zod";
import { requestPasswordReset } from "../../messages/request-password-reset.ts";
import { invalidBody } from "../../model/settings.ts";
import { readRemembered } from "../../login/cookies.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { databaseFields, findDatabase } from "./database.ts";

const identifier = z.string().max(1000).exactOptional();

/** A request for an email with a link to set a new password. Unknown members are ignored. */
const changePasswordRequestSchema = z
  .object({
    ...databaseFields,
    email: identifier.meta({ description: "Required unless `username` is sent" }),
    username: identifier,
    organization: z
      .string()
      .min(1)
      .max(255)
      .exactOptional()
      .meta({ description: "The id or name of the organization whose branding is used for the email and the page" }),
  })
  .meta({ id: "ChangePasswordRequest" });

/** The response, whether or not the account exists. */
const sentence = "If an account exists, we've just sent a link to set a new password to its email address.";

/** Sends a user a link to set a new password. The response and its timing are the same if no account exists. */
export const changePassword = route({
  method: "POST",
  path: "/dbconnections/change_password",
  summary: "Send a link to set a new password",
  description:
    "Responds with a sentence as text, whether or not the account exists. An account receives at most five links per hour; further requests get the same sentence.",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  body: changePasswordRequestSchema,
  failureEvent: () => "fcpr",
  responses: {
    200: { text: "A sentence" },
    400: { error: "invalid_request" },
    401: { error: "invalid_client" },
    429: { error: "TOO_MANY_REQUESTS: the client address requested too many messages" },
  },
})(async ({ body, request }, { tenant }) => {
  const { client_id: clientId, connection, email, username, organization: named } = body;
  const typed = (email ?? username ?? "").trim();
  if (typed === "") throw invalidBody("'email' or 'username' is missing");
  const [{ client, database }, organization] = await Promise.all([
    findDatabase(tenant, { ...(clientId !== undefined && { client_id: clientId }), ...(connection !== undefined && { connection }) }),
    named === undefined ? undefined : tenant.organization(named),
  ]);
  const { accounts: marks } = readRemembered(tenant, request);
  const reset = { connection: database, connectionName: connection, identifier: typed, marks, client, organization };
  const refusal = await requestPasswordReset(tenant, reset);
  if (refusal !== undefined) throw refusal;
  return new Response(sentence, { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
});
