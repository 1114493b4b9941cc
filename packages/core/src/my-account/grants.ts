import * as z from "zod";
import { clientNameOf } from "../branding/client-name.ts";
import { PosternError } from "../errors.ts";
import { timestampSchema, toTimestamp } from "../model/fields.ts";
import { findOwnGrants, removeOwnGrant } from "../tokens/own-grants.ts";
import { meRoute } from "./me-route.ts";
import { requireChange } from "./require-change.ts";

const grantSchema = z
  .strictObject({
    client_id: z.string(),
    client_name: z.string().exactOptional().meta({ description: "Omitted if no administrator checked the name" }),
    scope: z.array(z.string()),
    created_at: timestampSchema,
  })
  .meta({ id: "MyGrant" });

const path = "/me/v1/grants";
const rejected = { 401: { error: "invalid_token" }, 403: { error: "insufficient_scope" } } as const;

/** The routes for the applications with access to the user's account, an addition of Postern. */
export const myGrants = [
  meRoute({
    method: "GET",
    path,
    summary: "List the applications that have access to the account of the user",
    scopes: ["read:me:grants"],
    responses: { 200: z.strictObject({ grants: z.array(grantSchema) }), ...rejected },
  })(async (_, { tenant, mfaToken }) => {
    const grants = await findOwnGrants(tenant, mfaToken.user.user_id);
    const present = async ({ clientId, scope, since }: (typeof grants)[number]) => {
      const client = await tenant.client(clientId);
      const name = client && clientNameOf(client);
      return {
        client_id: clientId,
        ...(name !== undefined && { client_name: name }),
        scope: [...scope],
        created_at: toTimestamp(since),
      };
    };
    return { grants: await Promise.all(grants.map(present)) };
  }),
  meRoute({
    method: "DELETE",
    path: `${path}/:client_id`,
    summary: "Remove the access of an application to the account of the user",
    description: "Requires that the user authenticated within the last 15 minutes.",
    scopes: ["delete:me:grants"],
    responses: { 204: null, ...rejected, 404: { error: "not_found: the application has no access" } },
  })(async ({ params: { client_id: clientId } }, context) => {
    const { tenant, mfaToken } = context;
    await requireChange(context);
    const [grant] = await findOwnGrants(tenant, mfaToken.user.user_id, clientId);
    if (grant === undefined) throw new PosternError("not_found", "The application has no access.");
    await removeOwnGrant(tenant, mfaToken.user, { clientId, client: await tenant.client(clientId) });
  }),
];
