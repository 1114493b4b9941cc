import { compactVerify } from "jose";
import * as z from "zod";
import type { TokenAuthentication } from "../../identity/factors/recent-factor.ts";
import type { KeyStore, StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import { maxTokenLength } from "../../tokens/verify.ts";
import { isBefore } from "./access-token.ts";
import type { RequestTenant } from "../tenant.ts";
import { internalClientId, isDocumentUrl } from "../../model/clients/client-id.ts";
import { signingAlgorithms } from "../../model/keys/algorithms.ts";

/** The content of an ID token of this tenant, which may have expired. */
export interface IdTokenHint {
  readonly userId: string;
  readonly clientId: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly authentication: TokenAuthentication;
}

/** Only access tokens have `grant_id`, and only logout tokens have `events`. They are not accepted as hints. */
const payloadSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  sid: z.string(),
  iat: z.number(),
  exp: z.number(),
  acr: z.string().exactOptional(),
  tenant_id: z.string().exactOptional(),
  grant_id: z.never().exactOptional(),
  events: z.never().exactOptional(),
});

/**
 * Reads an `id_token_hint` (OpenID Connect RP-Initiated Logout section 2).
 * @returns undefined for a token that this tenant did not sign, and for text longer than {@link maxTokenLength}.
 */
export async function readIdTokenHint(tenant: RequestTenant, hint: string): Promise<IdTokenHint | undefined> {
  if (hint.length > maxTokenLength) return undefined;
  const claims = await readSigned(await tenant.signing.allWith(tenant.tokens.peek(hint)?.kid), tenant.keys, hint);
  if (claims === undefined || !(await isOfTenant(tenant, claims))) return undefined;
  if (isBefore(tenant, claims.iat) || !(await tenant.hasIssuer(claims.iss))) return undefined;
  const { aud, sub, sid, iat, exp, acr } = claims;
  return {
    userId: sub,
    clientId: await internalClientId(aud),
    sessionId: sid,
    expiresAt: exp * 1000,
    authentication: { issuedAt: iat * 1000, acr },
  };
}

/** Whether an ID token is of this tenant. Without `tenant_id`, its client decides: tenants can share a key and an issuer. */
async function isOfTenant(
  tenant: RequestTenant,
  { tenant_id: tenantId, aud }: Pick<z.infer<typeof payloadSchema>, "tenant_id" | "aud">,
): Promise<boolean> {
  if (tenantId !== undefined) return tenantId === tenant.id;
  return !isDocumentUrl(aud) && (await tenant.namedClient(aud)) !== undefined;
}

/**
 * Returns the claims of an ID token that one of these keys signed; undefined for any other text. Every error here is
 * caused by the text, so no error is rethrown.
 */
async function readSigned(
  keys: readonly StoredSigningKey[],
  store: KeyStore,
  hint: string,
): Promise<z.infer<typeof payloadSchema> | undefined> {
  try {
    const { payload } = await compactVerify(
      hint,
      async ({ kid, alg }) => {
        const key = keys.find((candidate) => candidate.kid === kid && candidate.alg === alg && candidate.revoked_at === null);
        if (key === undefined) throw new Error("the hint is not signed with a key of this tenant");
        return store.publicKey(key);
      },
      { algorithms: [...signingAlgorithms] },
    );
    return payloadSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch {
    return undefined;
  }
}
