import { auditClient, auditUser } from "../../logs/audit.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { rowsBeforeReply, WorkLimit } from "../../store/work-limit.ts";
import { requireActionsAllow } from "../../identity/actions/own-change.ts";
import { createUser } from "../../identity/users/create-user.ts";
import { deleteUser } from "../../identity/users/delete-user.ts";
import { checkNewPassword } from "../../identity/users/passwords.ts";
import { updateUser } from "../../identity/users/update-user.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, listResponse, searchQuerySchema } from "../../http/pagination.ts";
import type { FurtherScopes, Viewer } from "../../http/route.ts";
import * as z from "zod";
import { mailVerificationLink } from "../../messages/links.ts";
import { queryBooleanSchema } from "../../model/fields.ts";
import { createUserSchema, toUser, updateUserSchema, userSchema } from "../../model/users/users.ts";
import type { Scope } from "../../model/scopes.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import { grantsScopes, requireRightsOfUser } from "../authority.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { foldEmail } from "../../model/email-address.ts";
import { findUserAccount, findPrimary, noSuchUser } from "./find-user.ts";
import { idpTokens } from "./idp-tokens.ts";
import { isAnyOf, listRoute } from "../kit/list.ts";
import { requireOwnUser } from "./own-user.ts";
import { presentUser, presentUsers } from "../../identity/users/present-users.ts";

/**
 * The fields that `q` may contain. Passwords, revisions and deletion marks are omitted, so that callers cannot search
 * for them.
 */
const search: SearchTable = {
  fields: {
    user_id: { field: "user_id", type: "string" },
    email: { field: "email", type: "folded", fold: foldEmail, missing: "", contains: true },
    email_verified: { field: "email_verified", type: "boolean" },
    "email.raw": { field: "email", type: "folded", fold: foldEmail, missing: "" },
    name: { field: "name", type: "string", missing: "", contains: true },
    nickname: { field: "nickname", type: "string", missing: "", contains: true },
    given_name: { field: "given_name", type: "string", contains: true },
    family_name: { field: "family_name", type: "string", contains: true },
    username: { field: "username", type: "string" },
    phone_number: { field: "phone_number", type: "string" },
    phone_verified: { field: "phone_verified", type: "boolean" },
    connection: { field: "connection", type: "string" },
    provider: { field: "provider", type: "string" },
    "identities.connection": { field: "connection", type: "string" },
    "identities.provider": { field: "provider", type: "string" },
    blocked: { field: "blocked", type: "boolean" },
    logins_count: { field: "logins_count", type: "integer" },
    last_ip: { field: "last_ip", type: "string" },
    last_login: { field: "last_login", type: "instant", missing: 0 },
    created_at: { field: "created_at", type: "instant" },
    updated_at: { field: "updated_at", type: "instant" },
    app_metadata: { field: "app_metadata", type: "object" },
    user_metadata: { field: "user_metadata", type: "object" },
  },
  words: [
    { field: "email", type: "folded", fold: foldEmail, contains: true },
    { field: "name", type: "string", contains: true },
  ],
};

const userListQuerySchema = searchQuerySchema.extend({
  connection: z.string().max(128).exactOptional(),
  primary_order: queryBooleanSchema.exactOptional(),
});

/**
 * The fields that a caller with only `read:user_idp_tokens` may see. The identities contain the tokens of identity
 * providers.
 */
const accounts = ["user_id", "identities"];

const identitiesOnly =
  "With `read:user_idp_tokens`, the identities contain the tokens that the identity providers issued. With only that scope, the response contains the identities, but not the profile.";

const missing = { 404: "inexistent_user" } as const;

/** Lists primary accounts. Their `identities` contain the linked accounts. */
const listUsers = route({
  method: "GET",
  path: "/api/v2/users",
  summary: "List and search users",
  description: identitiesOnly,
  scopes: ["read:users", "read:user_idp_tokens"],
  query: userListQuerySchema,
  visibleFields: shownOfMany,
  responses: { 200: listResponse("users", userSchema) },
})(async ({ query }, { tenant, caller }) =>
  listRoute(tenant, query, {
    collection: tenant.data.users,
    description: schema.users,
    where: { linked_to: "" },
    only: query.connection === undefined ? [] : [isAnyOf("connection", query.connection)],
    key: "users",
    defaultSort: { field: "created_at", direction: "asc" },
    search,
    shown: shownOfMany(caller),
    present: async (rows) => {
      const userRoutes = await presentUsers(tenant.data, rows, idpTokens(tenant, caller));
      return caller.scopes.has("read:users") ? userRoutes : userRoutes.map(withoutProfiles);
    },
  }),
);

const createUserRoute = route({
  method: "POST",
  path: "/api/v2/users",
  summary: "Create a user",
  description: "With `verify_email: true`, an email with a verification link is sent.",
  scopes: ["create:users"],
  body: createUserSchema,
  responses: { 201: userSchema, 409: "auth0_idp_error" },
})(async ({ body }, { tenant }) => {
  const connection = await findConnection(tenant, body.connection);
  if (connection === undefined) {
    throw new PosternError("invalid_request", "body: 'connection' is not a connection", { errorCode: "inexistent_connection" });
  }
  if (body.password !== undefined) await checkNewPassword(tenant, connection, body.password, body);
  const user = await createUser(tenant, connection, body);
  if (body.verify_email === true) await sendVerification(tenant, user, undefined);
  return toUser(user, []);
});

const getUser = route({
  method: "GET",
  path: "/api/v2/users/:id",
  summary: "Get a user",
  description: `For a linked account, responds with 404, or with the account and its \`linked_to\` if the request has \`Prefer: include-linked\`. ${identitiesOnly}`,
  scopes: ["read:users", "read:current_user", "read:user_idp_tokens"],
  query: listFieldSelectionSchema,
  visibleFields: (viewer) => (seesWhole(viewer, "read:users", "read:current_user") ? undefined : accounts),
  responses: { 200: userSchema, ...missing },
})(async ({ params, prefer }, context) => {
  const { tenant, caller } = context;
  requireOwnUser(params.id, context, "read:users", "read:user_idp_tokens");
  const row = await findUserAccount(tenant, params.id);
  if (row.linked_to !== "" && !prefer.apply("include-linked")) throw noSuchUser();
  const user = await presentUser(tenant.data, row, idpTokens(tenant, caller));
  return seesWhole({ ...caller, params }, "read:users", "read:current_user") ? user : withoutProfiles(user);
});

const changesAppMetadata = {
  scopes: ["update:users", "update:users_app_metadata"],
  when: "if the body has `app_metadata`",
} as const satisfies FurtherScopes;
const changesOwnMetadata = {
  scopes: ["update:users", "update:current_user_metadata"],
  when: "if the body has `user_metadata` and the user is the caller",
} as const satisfies FurtherScopes;
/** The fields with which a caller can sign in as the user. A change requires the user's Management API scopes. */
const signInFields = ["password", "email", "email_verified", "phone_number", "phone_verified", "username"] as const;
const changesUser = { scopes: ["update:users"], when: "if the body has any other member" } as const satisfies FurtherScopes;

const updateUserRoute = route({
  method: "PATCH",
  path: "/api/v2/users/:id",
  summary: "Update a user",
  description:
    "`connection` selects a linked account. The response is the primary user with all identities. " +
    "With `verify_email: true`, an email with a verification link is sent on behalf of the client `client_id`. " +
    "A change of the password, email address, phone number or username requires every Management API scope that the user has. " +
    "A new password revokes the user's sessions and refresh tokens. Users who set their own password keep the session of their token with `Prefer: keep-session`. " +
    "With only `update:users_app_metadata`, the request can change `app_metadata`, and the response contains nothing else; " +
    "with only `update:current_user_metadata`, users can change only their own `user_metadata`.",
  scopes: ["update:users", "update:users_app_metadata", "update:current_user_metadata"],
  furtherScopes: [changesAppMetadata, changesOwnMetadata, changesUser, grantsScopes],
  body: updateUserSchema,
  visibleFields: (viewer) => (seesWhole(viewer, "update:users", "update:current_user_metadata") ? undefined : ["user_id", "app_metadata"]),
  responses: { 200: userSchema, ...missing, 409: "auth0_idp_error" },
})(async ({ params, body, prefer }, context) => {
  const { tenant, caller } = context;
  requireOwnUser(params.id, context, "update:users", "update:users_app_metadata");
  const isOwn = caller.ownUserId === params.id;
  for (const field of Object.keys(body)) {
    if (field === "app_metadata") requireScopes(context, changesAppMetadata);
    else requireScopes(context, field === "user_metadata" && isOwn ? changesOwnMetadata : changesUser);
  }
  let primary: Row<"users"> | undefined;
  const lookups = {
    findUser: async () => (primary = await findPrimary(tenant, params.id)),
    findConnection: (name: string) => findConnection(tenant, name),
    allowChange: async (user: Row<"users">): Promise<void> => {
      const { user_metadata: metadata = {} } = body;
      if (!isOwn || caller.scopes.has("update:users") || Object.keys(metadata).length === 0) return;
      const client = await tenant.client(caller.clientId);
      await requireActionsAllow(tenant, { user, client, changes: { user_metadata: metadata } });
    },
  };
  if (signInFields.some((field) => body[field] !== undefined)) await requireRightsOfUser(context, params.id);
  const keeps = body.password !== undefined && isOwn && caller.sessionId !== undefined && prefer.apply("keep-session");
  const changed = await updateUser(tenant, lookups, body, keeps ? caller.sessionId : undefined);
  if (body.verify_email === true) {
    await sendVerification(tenant, changed, body.client_id === undefined ? undefined : await tenant.client(body.client_id));
  }
  return presentUser(tenant.data, changed.linked_to === "" ? changed : (primary ?? changed));
});

/**
 * Sends an email with a link to verify the email address. The user is already stored, so an exceeded message limit does
 * not fail the request. Instead, an audit event records that no email was sent.
 */
async function sendVerification(tenant: RequestTenant, user: Row<"users">, client: RegisteredClient | undefined): Promise<void> {
  if (user.email === "") return;
  const refusal = await mailVerificationLink(tenant, { user, client, isManagement: true });
  if (refusal === undefined) return;
  await tenant.audit({
    type: "fvr",
    description: "The mail was not sent: too many messages were requested.",
    ...auditClient(client),
    ...auditUser(user),
  });
}

const deleteUserRoute = route({
  method: "DELETE",
  path: "/api/v2/users/:id",
  summary: "Delete a user",
  description:
    "Returns 204 even if the user does not exist, so that a call can be retried. Responds with 404 for a linked account, because it is part of its primary user: unlink it first.",
  scopes: ["delete:users", "delete:current_user"],
  responses: { 204: null, ...missing },
})(async ({ params }, context) => {
  const { tenant } = context;
  requireOwnUser(params.id, context, "delete:users");
  if (await deleteUser(tenant, params.id, new WorkLimit(rowsBeforeReply))) return;
  if ((await tenant.data.users.count({ user_id: params.id })) > 0) {
    throw new PosternError("not_found", "the account is linked to another user: unlink it first", { errorCode: "inexistent_user" });
  }
});

function shownOfMany({ scopes }: { readonly scopes: ReadonlySet<string> }): readonly string[] | undefined {
  return scopes.has("read:users") ? undefined : accounts;
}

/**
 * Whether the caller may see all fields of the user: with `allUsers` for every user, with `ownUser` only for the
 * caller's own user.
 */
function seesWhole({ scopes, ownUserId, params }: Viewer, allUsers: Scope, ownUser: Scope): boolean {
  return scopes.has(allUsers) || (scopes.has(ownUser) && ownUserId === params["id"]);
}

/** Returns a user without the profile data of linked accounts. */
function withoutProfiles(user: z.infer<typeof userSchema>): z.infer<typeof userSchema> {
  return { ...user, identities: user.identities.map(({ profileData: _, ...identity }) => identity) };
}

function findConnection(tenant: RequestTenant, name: string): Promise<Row<"connections"> | undefined> {
  return tenant.connections.named(name);
}

export const userRoutes = [listUsers, createUserRoute, getUser, updateUserRoute, deleteUserRoute];
