import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { schema, type Row } from "../../store/schema.ts";
import { revokeFamily } from "../../tokens/refresh-tokens/refresh-token.ts";
import { revokeTokens } from "../../tokens/refresh-tokens/revoke-all.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, listQuerySchema, listResponse } from "../../http/pagination.ts";
import { refreshTokenSchema, toRefreshToken, updateRefreshTokenSchema } from "../../model/sessions/refresh-tokens.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findUserAccount } from "../users/find-user.ts";
import { listRoute } from "../kit/list.ts";

const ofUser = "/api/v2/users/:user_id/refresh-tokens";
const noUser = { 404: "inexistent_user" } as const;
const missing = { 404: { error: "not_found" } } as const;

const listOfUser = route({
  method: "GET",
  path: ofUser,
  summary: "List a user's refresh tokens",
  description: "Lists only tokens whose `user_id` equals this ID. Revoked tokens are included, with `revoked_at`.",
  scopes: ["read:refresh_tokens", "read:users"],
  query: listQuerySchema,
  responses: { 200: listResponse("tokens", refreshTokenSchema), ...noUser },
})(async ({ params, query }, { tenant }) => {
  const { user_id: userId } = await findUserAccount(tenant, params.user_id);
  return listRoute(tenant, query, {
    collection: tenant.data.refresh_tokens,
    description: schema.refresh_tokens,
    where: { user_id: userId },
    within: userId,
    key: "tokens",
    defaultSort: { field: "created_at", direction: "asc" },
    present: (rows) => Promise.all(rows.map((row) => presentRefreshToken(tenant, row))),
  });
});

const revokeOfUser = route({
  method: "DELETE",
  path: ofUser,
  operation: "users.refreshTokens.revokeAll",
  summary: "Revoke all refresh tokens of a user",
  description: "Revoked tokens remain in the list, with `revoked_at`.",
  scopes: ["delete:refresh_tokens"],
  responses: { 204: null, ...noUser },
})(async ({ params }, { tenant }) => {
  const { user_id: userId } = await findUserAccount(tenant, params.user_id);
  await revokeTokens(tenant, { user_id: userId });
});

/** Returns the routes for a single refresh token, under the hyphenated path or its alias. */
function routesOfOne(path: "/api/v2/refresh-tokens/:id" | "/api/v2/refresh_tokens/:id") {
  return [
    route({
      method: "GET",
      path,
      summary: "Get a refresh token",
      scopes: ["read:refresh_tokens"],
      query: listFieldSelectionSchema,
      responses: { 200: refreshTokenSchema, ...missing },
    })(async ({ params }, { tenant }) => presentRefreshToken(tenant, await read(tenant, params.id))),
    route({
      method: "PATCH",
      path,
      summary: "Update the metadata of a refresh token",
      scopes: ["update:refresh_tokens"],
      body: updateRefreshTokenSchema,
      responses: { 200: refreshTokenSchema, ...missing },
    })(async ({ params, body }, { tenant }) => {
      const row = await read(tenant, params.id);
      const { refresh_token_metadata: metadata } = body;
      if (metadata === undefined) return presentRefreshToken(tenant, row);
      const set = { refresh_token_metadata: metadata ?? {} };
      if ((await tenant.data.refresh_tokens.update({ id: row.id }, { set })) === 0) throw noSuchToken();
      return presentRefreshToken(tenant, { ...row, ...set });
    }),
    route({
      method: "DELETE",
      path,
      summary: "Delete a refresh token",
      description: "Also revokes the token's rotation family. Returns 200 even if the token does not exist, so that a call can be retried.",
      scopes: ["delete:refresh_tokens"],
      responses: { 200: null },
    })(async ({ params }, { tenant }) => {
      const row = await find(tenant, params.id);
      if (row === undefined) return;
      await revokeFamily(tenant, row, "revoked");
      await tenant.data.refresh_tokens.delete({ id: row.id });
    }),
  ];
}

export const refreshTokenRoutes = [
  listOfUser,
  revokeOfUser,
  ...routesOfOne("/api/v2/refresh-tokens/:id"),
  ...routesOfOne("/api/v2/refresh_tokens/:id"),
];

async function find({ data }: RequestTenant, id: string): Promise<Row<"refresh_tokens"> | undefined> {
  const row = await findOne(data.refresh_tokens, { id });
  return row;
}

async function read(tenant: RequestTenant, id: string): Promise<Row<"refresh_tokens">> {
  const row = await find(tenant, id);
  if (row === undefined) throw noSuchToken();
  return row;
}

function noSuchToken(): PosternError {
  return new PosternError("not_found", "there is no such refresh token");
}

/** Converts a row to the response format. */
export async function presentRefreshToken(tenant: RequestTenant, row: Row<"refresh_tokens">): Promise<z.infer<typeof refreshTokenSchema>> {
  const client = await tenant.client(row.client_id);
  return toRefreshToken(row, {
    rotating: client?.settings.refresh_token.rotation_type === "rotating",
    audience: publicIdentifier(row.audience, tenant.urls.issuer),
  });
}
