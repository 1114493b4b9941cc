import type { ActionProtocol, ActionRequest, PostLoginEvent } from "../../adapters/actions.ts";
import { readAllByIds } from "../../store/by-ids.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import { actionClient, actionConnection, actionRequest, actionUser } from "../../identity/actions/action-user.ts";
import { factorTypesOf, readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import { toApiFactorType } from "../../model/factors/factor-types.ts";
import { customMethods, newestMethods } from "../../model/sessions/authentication.ts";
import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import { toTimestamp } from "../../model/fields.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { AuthorizationRequest } from "../authorization-request.ts";
import { publicClientId } from "../../model/clients/client-id.ts";

/** A response with tokens for a user, before it is issued. */
export interface PostLogin {
  readonly tenant: RequestTenant;
  readonly client: RegisteredClient;
  readonly user: Row<"users">;
  /** Undefined if the session has ended but its refresh token is still valid. */
  readonly session: Row<"sessions"> | undefined;
  readonly organizationId?: string | undefined;
  readonly api: CachedApi | undefined;
  /** The scopes that will be granted unless an action removes them. */
  readonly scope: readonly string[];
  /** The scopes that the client requested. */
  readonly requestedScope: readonly string[];
  readonly protocol: ActionProtocol;
  /** The authorization request. */
  readonly request?: AuthorizationRequest;
  /** Present when a refresh token is redeemed. */
  readonly refreshToken?: { readonly id: string; readonly session_id: string | null };
  /** The query and body of the request with which the user returned from a redirect. */
  readonly sent?: Pick<ActionRequest, "query" | "body">;
}

/** Creates the event that post-login actions receive, without the secrets of each action. */
export async function postLoginEvent(login: PostLogin): Promise<Omit<PostLoginEvent, "secrets">> {
  const { tenant, client, user, session, organizationId, api, request, refreshToken } = login;
  const [linked, roles, organization, connection, factors] = await Promise.all([
    user.linked_count === 0 ? [] : linkedAccounts(tenant.data, [user.user_id]),
    rolesOf(tenant, user.user_id, organizationId),
    organizationId === undefined ? undefined : tenant.organization(organizationId),
    session === undefined ? undefined : tenant.connections.byId(session.connection_id),
    readConfirmedFactors(tenant, user),
  ]);
  const enrolled = factorTypesOf(factors);
  return {
    tenant: { id: tenant.id },
    request: actionRequest(tenant.requestInfo, { query: queryOf(request), ...login.sent }),
    client: actionClient(client.record),
    ...(connection && { connection: actionConnection(connection) }),
    user: {
      ...actionUser(user, linked),
      enrolledFactors: enrolled.map((type) => ({ type: toApiFactorType(type) })),
      multifactor: enrolled.length === 0 ? [] : ["guardian"],
    },
    authentication: { methods: session === undefined ? [] : methodsIn(session) },
    authorization: { roles },
    ...(organization && {
      organization: {
        id: organization.id,
        name: organization.name,
        display_name: organization.display_name,
        metadata: structuredClone(organization.metadata),
      },
    }),
    ...(api && { resource_server: { identifier: publicIdentifier(api.record.identifier, tenant.urls.issuer) } }),
    ...(session && {
      session: { id: session.id, created_at: toTimestamp(session.created_at), authenticated_at: toTimestamp(session.authenticated_at) },
    }),
    ...(refreshToken && {
      refresh_token: {
        id: refreshToken.id,
        client_id: publicClientId(client.record),
        ...(refreshToken.session_id !== null && { session_id: refreshToken.session_id }),
      },
    }),
    stats: { logins_count: user.logins_count },
    transaction: transactionOf(login),
  };
}

function methodsIn(session: Row<"sessions">): PostLoginEvent["authentication"]["methods"] {
  const methods = [...newestMethods(session), ...customMethods(session)];
  return methods.map(({ name, type, timestamp }) => ({ name, timestamp: toTimestamp(timestamp), ...(type !== undefined && { type }) }));
}

/** Returns the names of the user's roles: those of the tenant, and those inside the organization. */
async function rolesOf({ data }: RequestTenant, userId: string, organizationId: string | undefined): Promise<readonly string[]> {
  const given = await readAll(data.user_roles, schema.user_roles.key, {
    user_id: userId,
    organization_id: { in: ["", ...(organizationId === undefined ? [] : [organizationId])] },
  });
  const ids = [...new Set(given.map(({ role_id: id }) => id))];
  const roles = ids.length === 0 ? [] : await readAllByIds(data.roles, schema.roles.key, "id", ids);
  return roles.map(({ name }) => name).toSorted();
}

function transactionOf({ protocol, request, requestedScope }: PostLogin): PostLoginEvent["transaction"] {
  const requestFields = request && {
    ...(request.prompt.length > 0 && { prompt: request.prompt }),
    redirect_uri: request.redirect_uri,
    response_mode: request.response_mode,
    response_type: request.response_type,
    ...(request.state !== undefined && { state: request.state }),
    ...(request.login_hint !== undefined && { login_hint: request.login_hint }),
  };
  return {
    protocol,
    requested_scopes: requestedScope,
    acr_values: (request?.acr_values ?? "").split(" ").filter((value) => value !== ""),
    ui_locales: (request?.ui_locales ?? "").split(" ").filter((tag) => tag !== ""),
    ...requestFields,
  };
}

const single = [
  "client_id",
  "redirect_uri",
  "state",
  "nonce",
  "login_hint",
  "ui_locales",
  "screen_hint",
  "audience",
  "connection",
] as const;

/** Returns the stored parameters of the authorization request as a query. */
function queryOf(request: AuthorizationRequest | undefined): { readonly [name: string]: string } {
  if (request === undefined) return {};
  const stored = single.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]] as const]));
  const { scope, prompt, response_type: types, response_mode: mode, max_age: age, organization } = request;
  return {
    ...Object.fromEntries(stored),
    scope: scope.join(" "),
    response_type: types.join(" "),
    response_mode: mode,
    ...(prompt.length > 0 && { prompt: prompt.join(" ") }),
    ...(age !== undefined && { max_age: String(age) }),
    ...(organization && { organization: organization.id }),
  };
}
