import { findFactors, type Factor } from "../identity/factors/factors.ts";
import { credentialsAt, userHandleOf } from "../identity/webauthn/credential.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { AcceptedCredentials } from "./components/signal-script.ts";

/**
 * Returns the credentials that a signed-in user has, so that the browser hides the others: an administrator may have
 * removed one. Undefined without a query if the user's factors never changed, and if the host does not support WebAuthn.
 * @param factors the user's factors. Default: they are read.
 */
export async function acceptedCredentials(
  tenant: RequestTenant,
  user: Row<"users">,
  factors?: readonly Factor[],
): Promise<AcceptedCredentials | undefined> {
  if (user.factors_changed_at === null) return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const { rpId } = relyingParty;
  const known = factors ?? (await findFactors(tenant.data, user));
  return {
    rpId,
    userId: await userHandleOf(tenant, rpId, user.user_id, known),
    allAcceptedCredentialIds: credentialsAt(known, rpId).map(({ id }) => id),
  };
}
