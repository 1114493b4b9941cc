import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import type { Match } from "../../store/contract.ts";
import { schema, type Row } from "../../store/schema.ts";
import { isExpired, withExpiry } from "../../tokens/refresh-tokens/refresh-token.ts";
import { revokeSessionsOfUser } from "../../identity/sessions/revoke-all.ts";
import { isAlive, revokeSession } from "../../identity/sessions/session.ts";
import { tokenStatus } from "../../tokens/subject.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, listQuerySchema, listResponse } from "../../http/pagination.ts";
import { memberOrganization } from "../../authorization/organization.ts";
import { clientSessionSchema, sessionSchema, toSessionReply, updateSessionSchema } from "../../model/sessions/sessions.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import type { FurtherScopes } from "../../http/route.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { findUserAccount } from "../users/find-user.ts";
import { listRoute } from "../kit/list.ts";
import { defaultTake } from "../kit/page.ts";

const path = "/api/v2/sessions";
const ofUser = "/api/v2/users/:user_id/sessions";
const noUser = { 404: "inexistent_user" } as const;
const missing = { 404: { error: "not_found" } } as const;
const defaultSort = { field: "created_at", direction: "asc" } as const;

const listSessions = route({
  method: "GET",
  path,
  summary: "List sessions",
  scopes: ["read:sessions"],
  query: listQuerySchema,
  responses: { 200: listResponse("sessions", sessionSchema) },
})(async ({ query }, { tenant }) =>
  listRoute(tenant, query, {
    collection: tenant.data.sessions,
    description: schema.sessions,
    where: alive(tenant),
    key: "sessions",
    defaultSort,
    present: (rows) => rows.map((row) => present(tenant, row)),
  }),
);

const listOfUser = route({
  method: "GET",
  path: ofUser,
  operation: "users.sessions.list",
  summary: "List a user's sessions",
  description: "Without paging parameters, the response is the first page of checkpoint pagination.",
  scopes: ["read:sessions"],
  query: listQuerySchema,
  responses: { 200: listResponse("sessions", sessionSchema, "checkpoint"), ...noUser },
})(async ({ params, query }, { tenant }) => {
  const { user_id: userId } = await findUserAccount(tenant, params.user_id);
  const { page, per_page: perPage, include_totals: withTotals } = query;
  const isUnpaged = page === undefined && perPage === undefined && withTotals !== true;
  return listRoute(tenant, isUnpaged ? { take: defaultTake, ...query } : query, {
    collection: tenant.data.sessions,
    description: schema.sessions,
    where: { user_id: userId, ...alive(tenant) },
    within: userId,
    key: "sessions",
    defaultSort,
    present: (rows) => rows.map((row) => present(tenant, row)),
  });
});

const revokeOfUser = route({
  method: "DELETE",
  path: ofUser,
  operation: "users.sessions.deleteAll",
  summary: "Revoke all sessions of a user",
  description: "Also revokes the refresh tokens of these sessions.",
  scopes: ["delete:sessions"],
  responses: { 202: null, ...noUser },
})(async ({ params }, { tenant }) => {
  const { user_id: userId } = await findUserAccount(tenant, params.user_id);
  await revokeSessionsOfUser(tenant, userId, "session-revoked");
});

const getSession = route({
  method: "GET",
  path: `${path}/:id`,
  summary: "Get a session",
  scopes: ["read:sessions"],
  query: listFieldSelectionSchema,
  responses: { 200: sessionSchema, ...missing },
})(async ({ params }, { tenant }) => present(tenant, await read(tenant, params.id)));

const namesOrganization = { scopes: ["read:organization_members"], when: "if `organization_id` is sent" } as const satisfies FurtherScopes;

const getClientSession = route({
  method: "GET",
  path: `${path}/:id/clients/:client_id`,
  operation: "sessions.clients.get",
  summary: "Check whether a session is still valid for a client",
  description:
    "Responds with 200 if the user may stay signed in to the client. Responds with 404 if the session was deleted or revoked; the user was deleted or blocked; the client was deleted; or " +
    "the connection that the user signed in with was deleted or is disabled for the client. An expired session is still valid if the client holds a valid refresh token from the session. " +
    "With `organization_id`, the user must still be a member, and the organization must still allow the connection.",
  scopes: ["read:sessions"],
  furtherScopes: [namesOrganization],
  query: z.strictObject({ organization_id: z.string().min(1).max(255).exactOptional() }),
  responses: { 200: clientSessionSchema, ...missing },
})(async ({ params, query: { organization_id: organizationId } }, context) => {
  const { tenant } = context;
  if (organizationId !== undefined) requireScopes(context, namesOrganization);
  const [client, session] = await Promise.all([
    tenant.client(params.client_id),
    findOne(tenant.data.sessions, { id: params.id, revoked_at: null }),
  ]);
  if (client === undefined || session === undefined) throw noSuchSession();
  const { user_id: userId, connection_id: connectionId } = session;
  const [standing, connection, isOffered, organization, lasts] = await Promise.all([
    tokenStatus(tenant.data, { userId, sessionId: null }),
    tenant.connections.byId(connectionId),
    tenant.connections.offers(client, connectionId),
    organizationId === undefined ? undefined : memberOrganization(tenant, client, { userId, connectionId }, organizationId),
    isAlive(session, tenant.now()) || hasRefreshToken(tenant, client, session.id),
  ]);
  if (standing.kind !== "live" || connection === undefined || !isOffered || !lasts) throw noSuchSession();
  if (organizationId !== undefined && organization?.id !== organizationId) throw noSuchSession();
  return { session_id: session.id, client_id: client.record.client_id, user_id: userId, connection: connection.name };
});

const updateSession = route({
  method: "PATCH",
  path: `${path}/:id`,
  summary: "Update the metadata of a session",
  scopes: ["update:sessions"],
  body: updateSessionSchema,
  responses: { 200: sessionSchema, ...missing },
})(async ({ params, body }, { tenant }) => {
  const row = await read(tenant, params.id);
  const { session_metadata: metadata } = body;
  if (metadata === undefined) return present(tenant, row);
  const set = { session_metadata: metadata ?? {}, updated_at: tenant.now() };
  const matched = await tenant.data.sessions.update({ id: row.id, revoked_at: null }, { set, add: { revision: 1 } });
  if (matched === 0) throw noSuchSession();
  return present(tenant, { ...row, ...set });
});

const deleteSession = route({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "Delete a session",
  description:
    "Also revokes its refresh tokens. Returns 202 even if the session does not exist, so that a call can be retried. An app that signs its user out passes `initiator=rp-logout`, so that the " +
    "other clients of the session receive logout tokens (OpenID Connect Back-Channel Logout). Default: `session-revoked`.",
  scopes: ["delete:sessions"],
  query: z.strictObject({ initiator: z.enum(["rp-logout", "session-revoked"]).exactOptional() }),
  responses: { 202: null },
})(async ({ params, query: { initiator = "session-revoked" } }, { tenant }) => {
  await revokeSession(tenant, params.id, initiator);
});

const revokeOne = route({
  method: "POST",
  path: `${path}/:id/revoke`,
  operation: "sessions.revoke",
  summary: "Revoke a session",
  description: "Has the same effect as deleting the session, but responds with 404 if the session does not exist.",
  scopes: ["delete:sessions", "delete:refresh_tokens"],
  responses: { 202: null, ...missing },
})(async ({ params }, { tenant }) => {
  // Includes expired sessions, because their refresh tokens may still be valid.
  const known = (await tenant.data.sessions.count({ id: params.id, revoked_at: null })) > 0;
  if (!known) throw noSuchSession();
  await revokeSession(tenant, params.id, "session-revoked");
});

/**
 * The routes for sessions. Responses treat a session that has ended as deleted. Its row remains stored as long as
 * tokens may refer to it, so that these tokens can be validated.
 */
export const sessionRoutes = [
  listSessions,
  listOfUser,
  revokeOfUser,
  getSession,
  getClientSession,
  updateSession,
  deleteSession,
  revokeOne,
];

/** Returns conditions that match active sessions. */
function alive(tenant: RequestTenant): Match<Row<"sessions">> {
  const now = tenant.now();
  return { revoked_at: null, expires_at: { gt: now }, idle_expires_at: { gt: now } };
}

async function read(tenant: RequestTenant, id: string): Promise<Row<"sessions">> {
  const row = await findOne(tenant.data.sessions, { id, ...alive(tenant) });
  if (row === undefined) throw noSuchSession();
  return row;
}

/**
 * Maximum number of refresh tokens that the check of a session reads for one client. Each sign-in to the client adds a
 * token; `sweep` deletes expired tokens.
 */
const mostTokens = 100;

/** Whether a client holds a refresh token from a session that it can still exchange. */
async function hasRefreshToken(tenant: RequestTenant, client: RegisteredClient, sessionId: string): Promise<boolean> {
  const tokens = await tenant.data.refresh_tokens.find({
    where: { session_id: sessionId, client_id: client.record.client_id, revoked_at: null, rotated_at: null },
    limit: mostTokens,
  });
  const now = tenant.now();
  return tokens.some((token) => !isExpired(withExpiry(token, client.settings.refresh_token, client.record), now));
}

function noSuchSession(): PosternError {
  return new PosternError("not_found", "there is no such session");
}

function present({ settings }: RequestTenant, row: Row<"sessions">): z.infer<typeof sessionSchema> {
  return toSessionReply(row, settings.session_cookie?.mode ?? "persistent");
}
