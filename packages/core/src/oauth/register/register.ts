import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { checkRedirectHosts } from "../../model/clients/initial-access-tokens.ts";
import { externalClient, readRegistration, registrationSchema } from "../../model/clients/registration.ts";
import { registeredClientSchema, toRegisteredClient } from "../../model/clients/registration-response.ts";
import type { Row } from "../../store/schema.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { auditRegistration } from "./audit.ts";
import { findInitialAccessToken, takeInitialAccessToken } from "./initial-access-token.ts";
import { registrationContext, registrationUri, usesSecret } from "./registration.ts";

/** The responses of the routes on which clients register themselves, except for the success. */
const errors = {
  400: { error: "invalid_redirect_uri, invalid_client_metadata, invalid_request" },
  401: { error: "invalid_token" },
  404: { error: "not_found: the tenant does not accept the registration of clients" },
  413: { error: "payload_too_large" },
  429: { error: "TOO_MANY_REQUESTS" },
} as const;

/**
 * Dynamic client registration (RFC 7591). The client is external: see `isExternal`. Without an initial access token, it
 * is deleted after a day if no user has accepted it.
 */
export const registerClient = route({
  method: "POST",
  path: "/oidc/register",
  summary: "Register a client",
  description:
    "Open to everyone if `flags.enable_dynamic_client_registration` is set for the tenant. Otherwise, the request needs an initial access token as a bearer token.",
  scopes: "public",
  cors: "any",
  body: z.looseObject({}),
  documentedBody: registrationSchema,
  failureEvent: () => "fapi",
  responses: { 201: registeredClientSchema, ...errors },
})(async ({ body, request }, { tenant }) => {
  const initial = await findInitialAccessToken(tenant, request);
  const clientId = `tpc_${tenant.random.alphanumeric(32)}`;
  const columns = readRegistration(body, await registrationContext(tenant, clientId));
  const redirectHosts = initial?.redirect_hosts ?? [];
  checkRedirectHosts(columns.callbacks, redirectHosts);
  await (initial === undefined ? tenant.admitRegistration() : takeInitialAccessToken(tenant, initial));

  const secret = usesSecret(columns) ? tenant.random.token(48) : undefined;
  const token = tenant.random.token();
  const now = tenant.now();
  const row: Row<"clients"> = {
    ...externalClient(columns),
    settings: { ...columns.settings, ...(redirectHosts.length > 0 && { redirect_hosts: redirectHosts }) },
    client_id: clientId,
    secret_hash: secret === undefined ? null : await sha256(secret),
    external_metadata_type: "dcr",
    external_metadata_created_by: "client",
    registration_token_hash: await sha256(token),
    // An operator gave out the initial access token, so its clients neither count nor expire.
    unused_since: initial === undefined ? now : null,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  await storeClient(tenant, row);
  await auditRegistration(tenant, row, { request, body, description: "Register a client", status: 201 });
  return toRegisteredClient(row, { uri: registrationUri(tenant, clientId), token, secret });
});

/** Stores a client. The entry in the directory comes first, because client IDs are unique across tenants. */
async function storeClient(tenant: RequestTenant, row: Row<"clients">): Promise<void> {
  const stored = (await tenant.directory.reserveClientId(row.client_id)) && (await tenant.data.clients.insert([row]));
  if (!stored) throw new Error("the generated client ID already exists");
}
