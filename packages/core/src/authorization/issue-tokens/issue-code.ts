import { sha256 } from "../../adapters/digest.ts";
import { toStoredAuthTime } from "../../identity/sessions/methods.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { UserAccess } from "./granted-access.ts";

/** Milliseconds until a code expires (RFC 6749 section 4.1.2 allows ten minutes at most). */
const codeLifetime = 60_000;

/** The parts of an authorization request that the exchange of its code must match. */
export interface CodeBinding {
  /** Null if the request did not contain the redirect URI. */
  readonly redirectUri: string | null;
  readonly codeChallenge: string | null;
  /** The thumbprint of the key that the exchange must prove (RFC 9449 section 10). */
  readonly dpopJkt: string | undefined;
  /** Whether the request named the organization by its name. */
  readonly organizationByName: boolean;
}

/** Issues an authorization code. @returns its text, which is not stored. */
export async function issueCode(tenant: RequestTenant, granted: UserAccess, binding: CodeBinding): Promise<string> {
  const code = tenant.random.token(32);
  const now = tenant.now();
  await tenant.data.authorization_codes.insert([
    {
      code_hash: await sha256(code),
      client_id: granted.client.record.client_id,
      user_id: granted.user.user_id,
      session_id: granted.sessionId,
      grant_id: granted.grantId,
      redirect_uri: binding.redirectUri,
      code_challenge: binding.codeChallenge,
      scope: granted.scope,
      audience: granted.api?.record.identifier ?? null,
      organization_id: granted.organization?.id ?? null,
      nonce: granted.nonce ?? null,
      auth_time: toStoredAuthTime(granted.authTime),
      request: {
        ...(granted.claims && { claims: granted.claims }),
        ...(binding.organizationByName && { organization_by_name: true }),
        ...(binding.dpopJkt !== undefined && { dpop_jkt: binding.dpopJkt }),
        ...(granted.actions && { actions: granted.actions }),
      },
      created_at: now,
      expires_at: now + codeLifetime,
      consumed_at: null,
    },
  ]);
  return code;
}
