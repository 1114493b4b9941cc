import * as z from "zod";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import {
  clientCredentialSchema,
  createClientCredentialSchema,
  fromCreateClientCredential,
  fromUpdateClientCredential,
  toClientCredential,
  updateClientCredentialSchema,
  type StoredCredential,
} from "../../model/clients/credentials.ts";
import { clientSettings } from "../../model/clients/settings.ts";
import { withCredentials } from "../../model/clients/clients.ts";
import type { FurtherScopes } from "../../http/route.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findClient, noSuchClient } from "./find-client.ts";
import { readKey } from "../keys/read-key.ts";

const path = "/api/v2/clients/:client_id/credentials";
const noClient = { 404: "inexistent_client" } as const;
const missing = { 404: { error: "not_found" } } as const;
const conflict = { 409: { error: "conflict" } } as const;

/** A caller who can change the keys of a client can authenticate as that client. */
const changesKeys = { scopes: ["update:client_keys"] } as const satisfies FurtherScopes;

/** The maximum number of keys that a client may have. */
const maximum = 20;

const list = route({
  method: "GET",
  path,
  summary: "List the keys of a client",
  scopes: ["read:client_credentials"],
  responses: { 200: z.array(clientCredentialSchema), ...noClient },
})(async ({ params }, { tenant }) => credentialsOf(await findClient(tenant, params.client_id)).map(toClientCredential));

const create = route({
  method: "POST",
  path,
  summary: "Add a key to a client",
  description: "A public key or certificate in PEM. The client can authenticate with it if `client_authentication_methods` contains it.",
  scopes: ["create:client_credentials"],
  body: createClientCredentialSchema,
  responses: { 201: clientCredentialSchema, ...noClient, ...conflict },
})(async ({ params, body }, { tenant }) => {
  await findClient(tenant, params.client_id);
  const maker = { newCredentialId: () => tenant.random.record("cred_"), now: tenant.now() };
  const credential = fromCreateClientCredential(await readKey(body), maker);
  await change(tenant, params.client_id, (credentials) => {
    if (credentials.length >= maximum) throw new PosternError("conflict", `a client has at most ${maximum} keys`);
    if (credentials.some(({ kid }) => kid === credential.kid)) throw new PosternError("conflict", "another key already has this 'kid'");
    return [...credentials, credential];
  });
  return toClientCredential(credential);
});

const get = route({
  method: "GET",
  path: `${path}/:id`,
  summary: "Get a key of a client",
  scopes: ["read:client_credentials"],
  responses: { 200: clientCredentialSchema, ...missing },
})(async ({ params }, { tenant }) => toClientCredential(find(credentialsOf(await findClient(tenant, params.client_id)), params.id)));

const update = route({
  method: "PATCH",
  path: `${path}/:id`,
  summary: "Set the expiry of a client's key",
  description: "With `null`, the key does not expire.",
  scopes: ["update:client_credentials"],
  furtherScopes: [changesKeys],
  body: updateClientCredentialSchema,
  responses: { 200: clientCredentialSchema, ...missing, ...conflict },
})(async ({ params, body }, { tenant }) => {
  const now = tenant.now();
  const changed = await change(tenant, params.client_id, (credentials) => {
    const credential = find(credentials, params.id);
    return credentials.map((other) => (other === credential ? fromUpdateClientCredential(credential, body, now) : other));
  });
  return toClientCredential(find(changed, params.id));
});

const remove = route({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "Delete a key of a client",
  description:
    "The client can no longer authenticate with the key. Returns 204 even if the key does not exist, so that a call can be retried.",
  scopes: ["delete:client_credentials"],
  furtherScopes: [changesKeys],
  responses: { 204: null, ...noClient, ...conflict },
})(async ({ params }, { tenant }) => {
  await change(tenant, params.client_id, (credentials) => credentials.filter(({ id }) => id !== params.id));
});

/** The routes for the public keys that verify a client's assertions (RFC 7523). */
export const clientCredentialRoutes = [list, create, get, update, remove];

function credentialsOf(row: Row<"clients">): readonly StoredCredential[] {
  return clientSettings(row).credentials;
}

function find(credentials: readonly StoredCredential[], id: string): StoredCredential {
  const credential = credentials.find((candidate) => candidate.id === id);
  if (credential === undefined) throw new PosternError("not_found", "the client has no such key");
  return credential;
}

/**
 * Changes the keys of a client. If another request changed the client in the meantime, `change` runs again.
 * @returns the stored keys.
 */
async function change(
  tenant: RequestTenant,
  clientId: string,
  apply: (credentials: readonly StoredCredential[]) => readonly StoredCredential[],
): Promise<readonly StoredCredential[]> {
  const changed = await changeRow(tenant.data.clients, { client_id: clientId }, (row) => ({
    settings: withCredentials(row, apply(credentialsOf(row))),
    updated_at: tenant.now(),
  }));
  return credentialsOf(requireRow(changed, "client", noSuchClient));
}
