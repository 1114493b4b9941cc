import * as z from "zod";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { PosternError } from "../../errors.ts";
import { externalSettings } from "../../model/clients/external.ts";
import { checkRedirectHosts } from "../../model/clients/initial-access-tokens.ts";
import { needsNewConsent, readRegistration, registrationSchema, replaceRegistration } from "../../model/clients/registration.ts";
import { registeredClientSchema, toRegisteredClient } from "../../model/clients/registration-response.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { removeClient } from "../../tenants/remove-client.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { auditRegistration } from "./audit.ts";
import {
  findRegistration,
  noRegistrationFor,
  registrationContext,
  registrationUri,
  usesSecret,
  type ManagedRegistration,
} from "./registration.ts";

const definition = {
  path: "/oidc/register/:client_id",
  description: "Requires the registration access token of the client as a bearer token, in every registration mode.",
  scopes: "public",
  tenantHints: ["tenant"],
  cors: "any",
} as const;

const unauthorized = { 401: { error: "invalid_token" } } as const;

const read = route({
  ...definition,
  method: "GET",
  summary: "Read a client's registration",
  responses: { 200: registeredClientSchema, ...unauthorized },
})(async ({ params, request }, { tenant }) => {
  const { row, token } = await findRegistration(tenant, params.client_id, request);
  return toRegisteredClient(row, { uri: registrationUri(tenant, row.client_id), token });
});

/** The members that a client must send, may send and must not send beside its metadata (RFC 7592 section 2.2). */
const replacementSchema = registrationSchema.extend({ client_id: z.string(), client_secret: z.string().exactOptional() });
const serverMembers = ["registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"];

const replace = route({
  ...definition,
  method: "PUT",
  summary: "Replace a client's metadata",
  description: `${definition.description} Members that the request omits are removed. A new redirect URI, key or authentication method ends the consents of users.`,
  body: z.looseObject({}),
  documentedBody: replacementSchema.meta({ id: "ReplaceClientRegistration" }),
  failureEvent: () => "fapi",
  responses: {
    200: registeredClientSchema,
    400: { error: "invalid_redirect_uri, invalid_client_metadata, invalid_request" },
    ...unauthorized,
    409: { error: "conflict" },
  },
})(async ({ params, body, request }, { tenant }) => {
  const registration = await findRegistration(tenant, params.client_id, request);
  const { client_id: clientId, registration_token_hash } = registration.row;
  await checkServerMembers(registration, body);
  const columns = readRegistration(body, await registrationContext(tenant, clientId));
  const newSecret = tenant.random.token(48);
  const newHash = await sha256(newSecret);
  const needsSecret = (row: Row<"clients">) => usesSecret(columns) && !(usesSecret(row) && row.secret_hash !== null);

  const where = { client_id: clientId, registration_token_hash, blocked_at: null };
  let secret: string | undefined;
  const changed = await changeRow(
    tenant.data.clients,
    where,
    (row) => {
      checkRedirectHosts(columns.callbacks, externalSettings(row.settings).redirect_hosts ?? []);
      const change = replaceRegistration(row, columns);
      secret = needsSecret(row) ? newSecret : undefined;
      return {
        ...change,
        secret_hash: !usesSecret(columns) ? null : secret === undefined ? row.secret_hash : newHash,
        ...(needsNewConsent(row, change) && { consents_since: tenant.now() }),
        updated_at: tenant.now(),
      };
    },
    registration.row,
  );
  const row = requireRow(changed, "client", noRegistrationFor);
  await auditRegistration(tenant, row, { request, body, description: "Replace a client's registration", status: 200 });
  return toRegisteredClient(row, { uri: registrationUri(tenant, clientId), token: registration.token, secret });
});

const remove = route({
  ...definition,
  method: "DELETE",
  summary: "Delete a client's registration",
  description: `${definition.description} Deletes the client, its consents and its refresh tokens.`,
  failureEvent: () => "fapi",
  responses: { 204: null, ...unauthorized },
})(async ({ params, request }, { tenant }) => {
  const { row } = await findRegistration(tenant, params.client_id, request);
  const { registration_token_hash } = row;
  if (!(await removeClient(tenant, row, { registration_token_hash, blocked_at: null }))) throw noRegistrationFor();
  await auditRegistration(tenant, row, { request, description: "Delete a client's registration", status: 204 });
});

/** The management of dynamic client registrations (RFC 7592). */
export const registrationManagement = [read, replace, remove];

/** Checks the members of a replacement that identify the client. @throws {PosternError} `invalid_client_metadata`. */
async function checkServerMembers({ row }: ManagedRegistration, body: { readonly [name: string]: unknown }): Promise<void> {
  const { client_id: id, client_secret: secret } = body;
  const forbidden = serverMembers.find((name) => body[name] !== undefined);
  if (forbidden !== undefined) throw invalid(`'${forbidden}' must not be sent`);
  if (id !== row.client_id) throw invalid("'client_id' must be the id of the client");
  const isSecret = typeof secret === "string" && row.secret_hash !== null && equalInConstantTime(await sha256(secret), row.secret_hash);
  if (secret !== undefined && !isSecret) throw invalid("'client_secret' must be the secret of the client");
}

function invalid(problem: string): PosternError {
  return new PosternError("invalid_client_metadata", problem);
}
