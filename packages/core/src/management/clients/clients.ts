import { sha256 } from "../../adapters/digest.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { schema, type Row } from "../../store/schema.ts";
import { weaknessOf } from "../../crypto/secret-strength.ts";
import { PosternError } from "../../errors.ts";
import { searchQuerySchema } from "../../http/pagination.ts";
import type { FurtherScopes, Viewer } from "../../http/route.ts";
import * as z from "zod";
import {
  clientSchema,
  clientWithSecretSchema,
  createClientSchema,
  externalMetadataTypeSchema,
  updateClientSchema,
} from "../../model/clients/bodies.ts";
import { fromCreateClient, fromUpdateClient, toClient, type ClientMaker } from "../../model/clients/clients.ts";
import { globalClientId, toGlobalClient } from "../../model/clients/global-client.ts";
import { queryBooleanSchema, queryList } from "../../model/fields.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import { tenantFlags } from "../../model/tenant/flags.ts";
import { invalidBody } from "../../model/settings.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import { removeClientChildren } from "../../tenants/remove-client.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { hasAllScopes, canAdministerAfter, changesResponseUrls } from "../authority.ts";
import { crud } from "../kit/crud.ts";
import { findClient, noSuchClient } from "./find-client.ts";
import { pageReply } from "../kit/slice.ts";
import { readKeysOfClient } from "../keys/read-key.ts";
import { isAnyOf } from "../kit/list.ts";

const search: SearchTable = {
  fields: {
    client_id: { field: "client_id", type: "string" },
    name: { field: "name", type: "string", contains: true },
    app_type: { field: "app_type", type: "string" },
    is_first_party: { field: "is_first_party", type: "boolean" },
    created_at: { field: "created_at", type: "instant" },
    updated_at: { field: "updated_at", type: "instant" },
  },
  words: [{ field: "name", type: "string", contains: true }],
};

/** The fields that every read scope for clients returns. */
export const summaryFields = ["client_id", "name", "description", "app_type"];

const keys = ["encryption_key"];

/** The fields that `read:client_credentials` returns in addition to the summary. */
const credentials = [...keys, "client_authentication_methods", "signed_request_object", "token_vault_privileged_access"];

/** Includes `created_at` and `updated_at`: no response contains them, but lists can be sorted and searched by them. */
export const allFieldsButKeys = [...Object.keys(clientSchema.shape).filter((name) => !keys.includes(name)), "created_at", "updated_at"];

/**
 * Returns the fields that the caller may see, or undefined for all fields. `read:client_keys` returns the whole client.
 * `read:clients` returns everything except `encryption_key`. `read:client_summary` and `read:client_credentials` return
 * the fields that they are named after.
 */
function shownFields({ scopes }: Viewer): readonly string[] | undefined {
  if (scopes.has("read:client_keys") || (scopes.has("read:clients") && scopes.has("read:client_credentials"))) return undefined;
  if (scopes.has("read:clients")) return allFieldsButKeys;
  return scopes.has("read:client_credentials") ? [...summaryFields, ...credentials] : summaryFields;
}

const clientListQuerySchema = searchQuerySchema.extend({
  is_global: queryBooleanSchema.exactOptional(),
  is_first_party: queryBooleanSchema.exactOptional(),
  app_type: queryList(z.string().max(200)).exactOptional(),
  external_metadata_type: externalMetadataTypeSchema.exactOptional().meta({
    description: "Returns only clients that registered themselves: by a metadata document (`cimd`), or dynamically (`dcr`)",
  }),
  external_client_id: clientIdSchema.exactOptional().meta({ description: "The URL of the client's metadata document" }),
});

const changesAuthentication = {
  scopes: ["update:client_keys"],
  when: "if `client_secret` or how the client authenticates changes",
} as const satisfies FurtherScopes;

const crudRoutes = crud({
  path: "/api/v2/clients",
  noun: "a client",
  key: "clients",
  scopes: {
    read: ["read:clients", "read:client_keys", "read:client_credentials", "read:client_summary"],
    create: ["create:clients"],
    update: ["update:clients"],
    delete: ["delete:clients"],
  },
  furtherScopes: { update: [changesAuthentication, changesResponseUrls] },
  visibility: {
    fields: shownFields,
    description:
      "`read:client_summary` returns `client_id`, `name`, `description` and `app_type`; `read:client_credentials` also returns the client's keys; " +
      "`read:clients` returns everything except `encryption_key`; `read:client_keys` returns everything. A secret is returned only by the request that creates it.",
  },
  description: schema.clients,
  collection: (data) => data.clients,
  notFound: "inexistent_client",
  item: clientSchema,
  created: clientWithSecretSchema,
  create: createClientSchema,
  update: updateClientSchema,
  search,
  listQuery: clientListQuerySchema,
  listInstead: (query, { tenant }) =>
    query.is_global === true
      ? pageReply(tenant, query, [toGlobalClient(tenant.record)], { key: "clients", list: ["clients", "global"] })
      : undefined,
  listWhere: async ({ external_client_id: clientId, external_metadata_type: type, sort }) => ({
    ...(clientId !== undefined && { client_id: clientId }),
    // The index also has the order of the list, if the list is sorted by `created_at`.
    ...(type !== undefined && (sort === undefined || sort.startsWith("created_at")) && { external_metadata_type: type }),
  }),
  listOnly: ({ is_first_party: firstParty, app_type: types, external_metadata_type: type }) => [
    ...(type === undefined ? [] : [isAnyOf("external_metadata_type", type)]),
    ...(firstParty === undefined ? [] : [isAnyOf("is_first_party", firstParty)]),
    ...(types === undefined ? [] : [isAnyOf("app_type", ...types.flatMap((one) => one.split(",")).slice(0, 50))]),
  ],
  toRecord: async (body, context) => {
    const { tenant } = context;
    const columns = fromCreateClient(await readKeysOfClient(body), clientMaker(tenant));
    const clientId = await reserveClientId(tenant);
    const secret =
      isPublic(columns.token_endpoint_auth_method) || columns.token_endpoint_auth_method === "private_key_jwt"
        ? undefined
        : tenant.random.token(48);
    return {
      record: {
        ...columns,
        connections: tenantFlags(tenant.record).enable_client_connections === false ? [] : null,
        client_id: clientId,
        secret_hash: secret === undefined ? null : await sha256(secret),
        may_administer: hasAllScopes(context),
      },
      ...(secret !== undefined && { extra: { client_secret: secret } }),
    };
  },
  toChange: async (row, body, context) => {
    const { tenant } = context;
    const change = fromUpdateClient(row, await readKeysOfClient(body), clientMaker(tenant));
    // A caller who can change how a client authenticates can act as that client and use all its scopes.
    if (body.client_secret !== undefined || !provesItselfAlike(row, change)) requireScopes(context, changesAuthentication);
    return {
      ...change,
      ...(body.blocked !== undefined && { blocked_at: body.blocked ? (row.blocked_at ?? tenant.now()) : null }),
      may_administer: await canAdministerAfter(row, change, context),
      ...(body.client_secret !== undefined && { secret_hash: await sha256(strongSecret(body.client_secret)) }),
    };
  },
  present: (rows, { tenant }) => rows.map((row) => toClient(row, tenant.id)),
  find: async (id) => {
    // Separate routes read and change the global client.
    if (id === globalClientId) throw new PosternError("forbidden", "the global client cannot be deleted");
    return undefined;
  },
  checkRemoval: async (row, { caller }) => {
    if (row.client_id === caller.clientId) throw new PosternError("forbidden", "a client cannot delete itself");
  },
  removeChildren: (row: Row<"clients">, tenant, limit) => removeClientChildren(row, tenant, limit),
});

const rotateSecret = route({
  method: "POST",
  path: "/api/v2/clients/:id/rotate-secret",
  operation: "clients.rotateSecret",
  summary: "Rotate a client's secret",
  description: "The old secret becomes invalid immediately. Only this response contains the new secret.",
  scopes: ["update:client_keys"],
  responses: { 200: clientWithSecretSchema, 404: "inexistent_client", 409: { error: "conflict" } },
})(async ({ params }, context) => {
  const client = await findClient(context.tenant, params.id);
  if (isPublic(client.token_endpoint_auth_method)) {
    throw new PosternError("invalid_request", "a public client has no secret", { errorCode: "operation_not_supported" });
  }
  return { ...toClient(client, context.tenant.id), client_secret: await newSecret(client, context) };
});

export const clientRoutes = [...crudRoutes, rotateSecret];

/** Replaces the stored secret. If several requests rotate it, the last write wins. */
async function newSecret({ client_id: clientId }: Row<"clients">, { tenant }: ManagementContext): Promise<string> {
  const secret = tenant.random.token(48);
  const set = { secret_hash: await sha256(secret), updated_at: tenant.now() };
  const matched = await tenant.data.clients.update({ client_id: clientId }, { set, add: { revision: 1 } });
  if (matched === 0) throw noSuchClient();
  return secret;
}

/** Generates a client ID and reserves it in the directory, because client IDs are unique across tenants. */
async function reserveClientId(tenant: RequestTenant): Promise<string> {
  const clientId = tenant.random.alphanumeric(32);
  if (!(await tenant.directory.reserveClientId(clientId))) throw new Error("the generated client ID already exists");
  return clientId;
}

function clientMaker(tenant: RequestTenant): ClientMaker {
  return {
    newCredentialId: () => tenant.random.record("cred_"),
    now: tenant.now(),
    issuer: tenant.urls.issuer,
    signingAlgorithm: tenant.config.signingAlgorithm,
  };
}

/** Whether a client authenticates and signs requests with the same method and keys after an update as before it. */
function provesItselfAlike(before: ClientProof, after: ClientProof): boolean {
  const proof = ({ token_endpoint_auth_method: method, settings }: ClientProof): string =>
    JSON.stringify([
      method,
      settings["client_authentication_methods"] ?? null,
      settings["signed_request_object"] ?? null,
      settings["credentials"] ?? [],
      settings["jwks_uri"] ?? null,
    ]);
  return proof(before) === proof(after);
}

type ClientProof = Pick<Row<"clients">, "token_endpoint_auth_method" | "settings">;

/** Requires that a secret cannot be guessed: it is stored as a SHA-256 hash, which does not slow down guesses. */
function strongSecret(secret: string): string {
  const weakness = weaknessOf(secret, 32);
  if (weakness === undefined) return secret;
  throw invalidBody(`'client_secret' ${weakness}`);
}
