import { schema, type Row } from "../data/schema.ts";
import type { SearchTable } from "../data/q/fields.ts";
import { createUser } from "../domain/users/create-user.ts";
import { deleteUser } from "../domain/users/delete-user.ts";
import { checkNewPassword } from "../domain/users/passwords.ts";
import { updateUser } from "../domain/users/update-user.ts";
import { PosternError } from "../errors.ts";
import { FieldSelection, ListQuery, listResponse } from "../http/pagination.ts";
import * as z from "zod";
import { QueryBoolean } from "../model/fields.ts";
import { CreateUser, toUser, UpdateUser, User } from "../model/users.ts";
import { checkScopes } from "../tenancy/caller.ts";
import { route } from "../tenancy/context.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { findAccount, findPrimary, noSuchUser } from "./find-user.ts";
import { isOneOf, list } from "./list.ts";
import { checkOwn } from "./own-user.ts";
import { presentUser, presentUsers } from "./present-users.ts";

/** What `q` may name. Passwords, revisions and what marks a removal are not here, so they do not exist for callers. */
const search: SearchTable = {
  fields: {
    user_id: { field: "user_id", type: "string" },
    email: { field: "email", type: "folded", missing: "", contains: true },
    email_verified: { field: "email_verified", type: "boolean" },
    "email.raw": { field: "email", type: "folded", missing: "" },
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
    { field: "email", type: "folded", contains: true },
    { field: "name", type: "string", contains: true },
  ],
};

const UserListQuery = ListQuery.extend({
  connection: z.string().max(128).exactOptional(),
  primary_order: QueryBoolean.exactOptional(),
});

const missing = { 404: "inexistent_user" } as const;

/** Lists primary accounts; linked ones are inside their `identities`. */
const listUsers = route({
  method: "GET",
  path: "/api/v2/users",
  summary: "List and search users",
  scopes: ["read:users"],
  query: UserListQuery,
  responses: { 200: listResponse("users", User) },
})(async ({ query }, { tenant }) =>
  list(tenant, query, {
    collection: tenant.data.users,
    description: schema.users,
    where: { linked_to: "" },
    only: query.connection === undefined ? [] : [isOneOf("connection", query.connection)],
    key: "users",
    defaultSort: { field: "created_at", direction: "asc" },
    search,
    present: (rows) => presentUsers(tenant, rows),
  }),
);

const createUserRoute = route({
  method: "POST",
  path: "/api/v2/users",
  summary: "Create a user",
  scopes: ["create:users"],
  body: CreateUser,
  responses: { 201: User, 409: "auth0_idp_error" },
})(async ({ body }, { tenant }) => {
  const connection = await findConnection(tenant, body.connection);
  if (connection === undefined) {
    throw new PosternError("invalid_request", "body: 'connection' names no connection", { errorCode: "inexistent_connection" });
  }
  if (body.password !== undefined) await checkNewPassword(tenant.environment, tenant.data, connection, body.password, body);
  return toUser(await createUser(tenant.environment, tenant.data, connection, body), []);
});

const getUser = route({
  method: "GET",
  path: "/api/v2/users/:id",
  summary: "Get a user",
  description: "A linked account answers 404, or itself with `linked_to` where `Prefer: include-linked` asks for it.",
  scopes: ["read:users", "read:current_user"],
  query: FieldSelection,
  responses: { 200: User, ...missing },
})(async ({ params, prefer }, context) => {
  const { tenant } = context;
  checkOwn(params.id, context, "read:users");
  const row = await findAccount(tenant, params.id);
  if (row.linked_to !== "" && !prefer.honour("include-linked")) throw noSuchUser();
  return presentUser(tenant, row);
});

const updateUserRoute = route({
  method: "PATCH",
  path: "/api/v2/users/:id",
  summary: "Change a user",
  description:
    "`connection` selects a linked account. The reply is the primary user with all identities. " +
    "With `update:current_user_metadata` alone, people change their own `user_metadata` and nothing else.",
  scopes: ["update:users", "update:current_user_metadata"],
  body: UpdateUser,
  responses: { 200: User, ...missing, 409: "auth0_idp_error" },
})(async ({ params, body }, context) => {
  const { tenant, caller } = context;
  checkOwn(params.id, context, "update:users");
  if (Object.keys(body).some((field) => field !== "user_metadata")) checkScopes(caller, ["update:users"]);
  let primary: Row<"users"> | undefined;
  const lookups = {
    findUser: async () => (primary = await findPrimary(tenant, params.id)),
    findConnection: (name: string) => findConnection(tenant, name),
  };
  const changed = await updateUser(tenant.environment, tenant.data, lookups, body);
  return presentUser(tenant, changed.linked_to === "" ? changed : (primary ?? changed));
});

const deleteUserRoute = route({
  method: "DELETE",
  path: "/api/v2/users/:id",
  summary: "Delete a user",
  description:
    "Answers 204 also when there is nothing to delete, so that a call may be repeated. A linked account is part of its primary user and answers 404: unlink it first.",
  scopes: ["delete:users", "delete:current_user"],
  responses: { 204: null, ...missing },
})(async ({ params }, context) => {
  const { tenant } = context;
  checkOwn(params.id, context, "delete:users");
  if (params.id.length > 255 || (await deleteUser(tenant.environment, tenant.data, params.id))) return;
  if ((await tenant.data.users.count({ user_id: params.id })) > 0) {
    throw new PosternError("not_found", "the account is linked to another user: unlink it first", { errorCode: "inexistent_user" });
  }
});

async function findConnection(tenant: Tenant, wanted: string): Promise<Row<"connections"> | undefined> {
  return (await tenant.connections()).find(({ name }) => name === wanted);
}

export const users = [listUsers, createUserRoute, getUser, updateUserRoute, deleteUserRoute];
