import { enrollableFactors } from "../../../identity/factors/factor-policy.ts";
import { passkeysEnabled } from "../../../identity/connections/passkey-settings.ts";
import type { WebauthnType } from "../../../identity/webauthn/credential.ts";
import type { FactorType } from "../../../model/factors/factor-types.ts";
import type { AccountVisit } from "../visit.ts";

/** Returns the factors that the user can add, the strongest first. A user can have several of one type. */
export async function offeredTypes(visit: AccountVisit): Promise<readonly FactorType[]> {
  const keys = await offeredKeys(visit);
  return [...keys, ...enrollableFactors(visit.situation).filter((type) => !keys.some((key) => key === type))];
}

/**
 * Returns the types of WebAuthn credentials that the user can add on this host. A passkey needs a connection with which
 * the user can sign in with it.
 */
export async function offeredKeys({ tenant, session, situation }: AccountVisit): Promise<readonly WebauthnType[]> {
  const [relyingParty, connection] = await Promise.all([tenant.relyingParty(), tenant.connections.byId(session.connection_id)]);
  if (relyingParty === undefined) return [];
  const passkeys = connection !== undefined && passkeysEnabled(connection) ? (["passkey"] as const) : [];
  return [...passkeys, ...enrollableFactors(situation).filter((type) => type === "webauthn-roaming")];
}
