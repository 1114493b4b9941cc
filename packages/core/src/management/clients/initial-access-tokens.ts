import { sha256 } from "../../adapters/digest.ts";
import { listQuerySchema, listResponse } from "../../http/pagination.ts";
import {
  createInitialAccessTokenSchema,
  initialAccessTokenSchema,
  newInitialAccessTokenSchema,
  toInitialAccessToken,
} from "../../model/clients/initial-access-tokens.ts";
import { schema } from "../../store/schema.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { listRoute } from "../kit/list.ts";

const path = "/api/v2/clients/initial-access-tokens";

/** The default lifetime of a token, in seconds: a day. */
const defaultLifetime = 86_400;

const list = route({
  method: "GET",
  path,
  summary: "List initial access tokens",
  description: "The response does not contain the tokens themselves. Expired tokens disappear from the list when `sweep` deletes them.",
  scopes: ["read:clients"],
  query: listQuerySchema,
  responses: { 200: listResponse("initial_access_tokens", initialAccessTokenSchema) },
})(async ({ query }, { tenant }) =>
  listRoute(tenant, query, {
    collection: tenant.data.initial_access_tokens,
    description: schema.initial_access_tokens,
    where: {},
    key: "initial_access_tokens",
    defaultSort: { field: "created_at", direction: "asc" },
    present: (rows) => rows.map(toInitialAccessToken),
  }),
);

const create = route({
  method: "POST",
  path,
  summary: "Create an initial access token",
  description:
    "The holder can register clients with the token at `/oidc/register`, even if registration is not open to everyone. " +
    "Only this response contains the token.",
  scopes: ["create:clients"],
  body: createInitialAccessTokenSchema,
  responses: { 201: newInitialAccessTokenSchema },
})(async ({ body }, { tenant }) => {
  const { uses = 1, expires_in: lifetime = defaultLifetime, policy = {} } = body;
  const token = tenant.random.token();
  const now = tenant.now();
  const row = {
    id: tenant.random.record("iat_"),
    token_hash: await sha256(token),
    uses_left: uses,
    redirect_hosts: [...new Set(policy.redirect_hosts)],
    expires_at: now + lifetime * 1000,
    created_at: now,
  };
  if (!(await tenant.data.initial_access_tokens.insert([row]))) throw new Error("the generated token already exists");
  return { ...toInitialAccessToken(row), token };
});

const remove = route({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "Delete an initial access token",
  description: "Returns 204 even if it does not exist. Clients that were registered with the token stay registered.",
  scopes: ["delete:clients"],
  responses: { 204: null },
})(async ({ params }, { tenant }) => {
  await tenant.data.initial_access_tokens.delete({ id: params.id });
});

export const initialAccessTokenRoutes = [list, create, remove];
