import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { toRegistration } from "./registration.ts";

const texts = z.array(z.string());

/**
 * A client information response (RFC 7591 section 3.2.1, RFC 7592 section 3): the registered metadata, and the members
 * that the server adds. `client_secret` is present only in the response that creates the secret.
 */
export const registeredClientSchema = z
  .strictObject({
    client_id: z.string(),
    client_id_issued_at: z.int().meta({ description: "Seconds since 1970" }),
    client_secret: z.string().exactOptional(),
    client_secret_expires_at: z.literal(0).exactOptional(),
    registration_access_token: z.string(),
    registration_client_uri: z.string(),
    client_name: z.string(),
    redirect_uris: texts,
    token_endpoint_auth_method: z.string(),
    grant_types: texts,
    response_types: texts,
    application_type: z.string(),
    ...z
      .object({
        client_uri: z.string(),
        logo_uri: z.string(),
        tos_uri: z.string(),
        policy_uri: z.string(),
        initiate_login_uri: z.string(),
        id_token_signed_response_alg: z.string(),
        userinfo_signed_response_alg: z.string(),
        scope: z.string(),
        contacts: texts,
        software_id: z.string(),
        software_version: z.string(),
        jwks_uri: z.string(),
        jwks: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
      })
      .exactPartial().shape,
  })
  .meta({ id: "RegisteredClient" });

/** The members of a client information response that the client's row does not contain. */
interface RegistrationAccess {
  /** The URL at which the client manages its registration. */
  readonly uri: string;
  /** The registration access token, of which only the hash is stored. */
  readonly token: string;
  /** A secret that the request created. */
  readonly secret?: string | undefined;
}

/** Converts a row to a client information response. */
export function toRegisteredClient(
  row: Row<"clients">,
  { uri, token, secret }: RegistrationAccess,
): z.infer<typeof registeredClientSchema> {
  return {
    client_id: row.client_id,
    client_id_issued_at: Math.floor(row.created_at / 1000),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 as const }),
    registration_access_token: token,
    registration_client_uri: uri,
    ...toRegistration(row),
  };
}
