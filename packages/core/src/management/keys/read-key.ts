import type * as z from "zod";
import { certificateExpiry, publicKeyThumbprint } from "../../tokens/keys/public-keys.ts";
import type { createClientCredentialSchema, credentialListSchema } from "../../model/clients/credentials.ts";
import type { updateClientSchema } from "../../model/clients/bodies.ts";
import { toTimestamp } from "../../model/fields.ts";
import { invalidBody } from "../../model/settings.ts";

/**
 * Validates a new key. Sets its `kid` to the thumbprint of the key, unless the body contains a `kid`, and its expiry
 * from the certificate, if the body requests that.
 * @throws {PosternError} `invalid_request` that names the invalid field.
 */
export async function readKey(body: z.infer<typeof createClientCredentialSchema>): Promise<z.infer<typeof createClientCredentialSchema>> {
  const { pem, alg = "RS256", parse_expiry_from_cert: fromCertificate, expires_at: expiresAt } = body;
  const thumbprint = await publicKeyThumbprint(pem, alg);
  if (thumbprint === undefined)
    throw invalidBody(`'pem' must be a public key or a certificate for ${alg}, with at least 2048 bits if it is RSA`);
  const key = { kid: thumbprint, ...body };
  if (fromCertificate !== true) return key;
  if (expiresAt !== undefined) throw invalidBody("'expires_at' and 'parse_expiry_from_cert' cannot be combined");
  const expiry = await certificateExpiry(pem);
  if (expiry === undefined) throw invalidBody("'parse_expiry_from_cert' requires a certificate in 'pem'");
  return { ...key, expires_at: toTimestamp(expiry) };
}

/**
 * Validates each new key in the body of a client, and returns the body with the `kid` and the expiry of each key.
 * @throws {PosternError} `invalid_request` that names the invalid field.
 */
export async function readKeysOfClient<
  Body extends Pick<
    z.infer<typeof updateClientSchema>,
    "client_authentication_methods" | "signed_request_object" | "token_vault_privileged_access"
  >,
>(body: Body): Promise<Body> {
  const { client_authentication_methods: methods, signed_request_object: objects, token_vault_privileged_access: vault } = body;
  const assertions = methods?.private_key_jwt;
  return {
    ...body,
    ...(assertions && {
      client_authentication_methods: { ...methods, private_key_jwt: { credentials: await readAll(assertions.credentials) } },
    }),
    ...(objects?.credentials && { signed_request_object: { ...objects, credentials: await readAll(objects.credentials) } }),
    ...(vault && { token_vault_privileged_access: { ...vault, credentials: await readAll(vault.credentials) } }),
  };
}

function readAll(list: z.output<typeof credentialListSchema>) {
  return Promise.all(list.map(async (entry) => ("pem" in entry ? readKey(entry) : entry)));
}
