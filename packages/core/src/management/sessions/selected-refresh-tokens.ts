import * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { schema } from "../../store/schema.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";
import { refreshTokenSchema, revokeRefreshTokensSchema } from "../../model/sessions/refresh-tokens.ts";
import { storedAudience } from "../../tenants/audience.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { revokeFamily } from "../../tokens/refresh-tokens/refresh-token.ts";
import { revokeTokens } from "../../tokens/refresh-tokens/revoke-all.ts";
import { listRoute } from "../kit/list.ts";
import { defaultTake } from "../kit/page.ts";
import { findUserAccount } from "../users/find-user.ts";
import { presentRefreshToken } from "./refresh-tokens.ts";

const path = "/api/v2/refresh-tokens";

const selectionQuerySchema = pageQuerySchema.extend({
  user_id: z.string().min(1).max(300),
  client_id: clientIdSchema.exactOptional(),
});

/** The routes for the refresh tokens of a user, also limited to those of a client. */
export const selectedRefreshTokenRoutes = [
  route({
    method: "GET",
    path,
    operation: "refreshTokens.list",
    summary: "List the refresh tokens of a user that were neither revoked nor replaced",
    description:
      "Omits tokens that were revoked, and tokens that a rotation replaced. Contains tokens that have expired, until the sweep deletes them. Without paging parameters, the response is the first page of checkpoint pagination.",
    scopes: ["read:refresh_tokens"],
    query: selectionQuerySchema,
    responses: { 200: listResponse("refresh_tokens", refreshTokenSchema, "checkpoint"), 404: "inexistent_user" },
  })(async ({ query }, { tenant }) => {
    const { user_id: userId, client_id: clientId, page, per_page: perPage, include_totals: withTotals } = query;
    await findUserAccount(tenant, userId);
    const isUnpaged = page === undefined && perPage === undefined && withTotals !== true;
    return listRoute(tenant, isUnpaged ? { take: defaultTake, ...query } : query, {
      collection: tenant.data.refresh_tokens,
      description: schema.refresh_tokens,
      where: { user_id: userId, ...(clientId !== undefined && { client_id: clientId }), revoked_at: null, rotated_at: null },
      within: userId,
      key: "refresh_tokens",
      defaultSort: { field: "created_at", direction: "asc" },
      present: (rows) => Promise.all(rows.map((row) => presentRefreshToken(tenant, row))),
    });
  }),
  route({
    method: "POST",
    path: `${path}/revoke`,
    operation: "refreshTokens.revoke",
    summary: "Revoke refresh tokens",
    description:
      "Revokes the tokens with these `ids`, each with its rotation family, or the tokens of a user: all, those of one client, or those of one client for one API. " +
      "Ids and users that do not exist are ignored, so that a call can be retried.",
    scopes: ["delete:refresh_tokens"],
    body: revokeRefreshTokensSchema,
    responses: { 202: null },
  })(async ({ body }, { tenant }) => {
    if ("ids" in body) {
      for (const token of await findByIds(tenant.data.refresh_tokens, "id", body.ids)) await revokeFamily(tenant, token, "revoked");
      return;
    }
    const audience = "audience" in body && body.audience !== undefined ? await storedAudience(tenant, body.audience) : undefined;
    await revokeTokens(tenant, {
      user_id: body.user_id,
      ...("client_id" in body && { client_id: body.client_id }),
      ...(audience !== undefined && { audience }),
    });
  }),
];
