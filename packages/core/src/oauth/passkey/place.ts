import { namedOrganization, organizationMissing, requiresOrganization } from "../../authorization/organization.ts";
import { PosternError } from "../../errors.ts";
import { limitLogin } from "../../identity/attack-protection/rate-limit.ts";
import { withNativeApps, type RelyingParty } from "../../identity/webauthn/relying-party.ts";
import { availableMethods, connectionFor } from "../../login/available-methods.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { allowsGrantType, passkeyGrantType } from "../../model/clients/grant-types.ts";
import type { Row } from "../../store/schema.ts";
import { forwardedTenant } from "../../tenants/callers/forwarded-for.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { namedClient, readClientCredentials } from "../client-authentication.ts";

/** The parts of a request that name the client, the connection and the organization. */
interface PasskeyRequest {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_assertion?: string;
  readonly client_assertion_type?: string;
  readonly realm?: string;
  readonly organization?: string;
}

/** Where a user creates or uses a passkey. */
export interface PasskeyPlace {
  readonly tenant: RequestTenant;
  readonly client: RegisteredClient;
  readonly connection: Row<"connections">;
  readonly relyingParty: RelyingParty;
  readonly organization: Row<"organizations"> | undefined;
}

/**
 * Returns where the user of a request to `/passkey/register` or `/passkey/challenge` creates or uses a passkey. Counts
 * the request against the limit for its IP address.
 * @throws {PosternError} `invalid_client`; `invalid_request` if the client may not use the grant, or names an unknown
 * connection or organization; `not_found` if passkeys are not enabled; `TOO_MANY_REQUESTS`.
 */
export async function openPasskeyPlace(of: RequestTenant, request: Request, body: PasskeyRequest): Promise<PasskeyPlace> {
  const client = await namedClient(of, request, { ...body });
  const tenant = forwardedTenant(of, request, client, readClientCredentials(request, { ...body }));
  if (!client.record.is_first_party) throw new PosternError("invalid_request", "passkeys require a first-party client");
  if (!allowsGrantType(client.record, passkeyGrantType))
    throw new PosternError("invalid_request", `the client is not allowed to use the grant type '${passkeyGrantType}'`);
  const refusal = await limitLogin(tenant, client);
  if (refusal !== undefined) throw refusal;
  const organization = await requestedOrganization(tenant, client, body.organization);
  const { realm } = body;
  if (realm !== undefined && (await tenant.connections.offeredNamed(client, realm, organization?.id)) === undefined)
    throw new PosternError("invalid_request", "'realm' must be a connection that is enabled for this client");
  const methods = await availableMethods(tenant, client, { connection: realm, organizationId: organization?.id });
  const connection = connectionFor(methods, "passkey");
  const relyingParty = await relyingPartyFor(tenant, client);
  if (connection === undefined || relyingParty === undefined)
    throw new PosternError("not_found", "passkeys are not enabled for this connection and host");
  return { tenant, client, connection, relyingParty, organization };
}

/**
 * Returns the relying party for a client. If the client has settings for native apps, it includes their origins.
 * @returns undefined if browsers do not offer WebAuthn on the host of the request.
 */
export async function relyingPartyFor(tenant: RequestTenant, { settings }: RegisteredClient): Promise<RelyingParty | undefined> {
  const relyingParty = await tenant.relyingParty();
  const { mobile } = settings;
  return relyingParty === undefined || mobile === undefined
    ? relyingParty
    : withNativeApps(relyingParty, mobile.android?.sha256_cert_fingerprints ?? []);
}

/**
 * Returns the organization that a request names, by its id or name.
 * @throws {PosternError} `invalid_request` if it is unknown, missing although the client requires one, or not allowed for
 * the client.
 */
export async function requestedOrganization(
  tenant: RequestTenant,
  client: RegisteredClient,
  named: string | undefined,
): Promise<Row<"organizations"> | undefined> {
  if (named !== undefined) return namedOrganization(tenant, client, named);
  if (requiresOrganization(client)) throw organizationMissing();
  return undefined;
}
