import * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { userProfileSchema, userMetadataSchema } from "./bodies.ts";

/** Lifetime of an `auth_session` in milliseconds. */
const lifetime = 10 * 60_000;

const contentSchema = z.object({
  /** Binds the challenge to the `auth_session`. */
  id: z.string(),
  connection_id: z.string(),
  /** The id of the organization that the request named. */
  organization_id: z.string().exactOptional(),
  /** Milliseconds since 1970. */
  created_at: z.number(),
  /** The account that the passkey is created for. Omitted: the user signs in with an existing passkey. */
  account: z
    .object({
      /** The part of the user id after the connection name. The user handle of the passkey derives from it. */
      id: z.string(),
      profile: userProfileSchema,
      metadata: userMetadataSchema.exactOptional(),
    })
    .exactOptional(),
});

/**
 * The content of an `auth_session` that `/passkey/register` or `/passkey/challenge` returned. The challenge for the
 * authenticator is valid for one use, and only with this `auth_session`.
 */
export type PasskeyAuthSession = z.output<typeof contentSchema>;

/**
 * The collection differs from that of the `auth_session`s of `/otp/challenge`, so that neither endpoint's values are
 * valid for the other grant.
 */
function placeIn({ id: tenantId }: RequestTenant, { record }: RegisteredClient) {
  return { tenantId, collection: "passkey_auth_session", id: record.client_id, field: "auth_session" };
}

/**
 * Returns the `auth_session` for a client. It is encrypted, so that nothing is stored before the passkey is verified and
 * only the same client of the same tenant can use it.
 */
export async function sealPasskeyAuthSession(
  tenant: RequestTenant,
  client: RegisteredClient,
  content: Omit<PasskeyAuthSession, "created_at">,
): Promise<string> {
  const dated: PasskeyAuthSession = { ...content, created_at: tenant.now() };
  return tenant.secrets.sealer.seal(placeIn(tenant, client), JSON.stringify(dated));
}

/**
 * Decrypts an `auth_session`.
 * @throws {PosternError} `invalid_grant` if it is unknown, was issued to another client, or has expired.
 */
export async function openPasskeyAuthSession(tenant: RequestTenant, client: RegisteredClient, text: string): Promise<PasskeyAuthSession> {
  const opened = await tenant.secrets.sealer.open(placeIn(tenant, client), text).catch(() => {
    throw unknownAuthSession();
  });
  const content = contentSchema.parse(JSON.parse(opened));
  if (tenant.now() >= content.created_at + lifetime) throw unknownAuthSession();
  return content;
}

/** Creates the error for an `auth_session` that cannot be used. */
export function unknownAuthSession(): PosternError {
  return new PosternError("invalid_grant", "'auth_session' is unknown or has expired", { status: 403 });
}
