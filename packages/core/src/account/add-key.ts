import { redirectResponse } from "../http/html.ts";
import { addKey } from "../identity/factors/add-key.ts";
import { findFactors } from "../identity/factors/factors.ts";
import { registrationOptions, type Registration } from "../identity/webauthn/registration.ts";
import type { WebauthnType } from "../identity/webauthn/credential.ts";
import { verificationOf } from "../login/key-verification.ts";
import { accountLabel } from "../login/steps/add-factor/new-factor.ts";
import { parseKeyResponse } from "../login/steps/webauthn/key-response.ts";
import type { CreationOptions } from "../model/factors/webauthn.ts";
import { offeredKeys } from "./offered-types.ts";
import { factorAdded, toOtherFactor, recordNewFactor, recoveryCodeWith } from "./confirm-factor.ts";
import { securityUrl } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import type { AccountVisit } from "./visit.ts";

/** Returns the options with which the browser creates a credential. Undefined if the host does not support WebAuthn. */
export async function newKeyOptions(visit: AccountVisit, type: WebauthnType): Promise<CreationOptions | undefined> {
  const { tenant, user } = visit;
  const registration = await registrationOf(visit, type);
  const name = accountLabel(user);
  return registration && registrationOptions(tenant, registration, { name, displayName: user.name || name });
}

/** Enrolls the passkey or security key whose response was submitted. */
export async function addNewKey(visit: AccountVisit, form: SecurityForm): Promise<Response> {
  const { tenant, user, factors } = visit;
  const { view, response } = form;
  const type = (await offeredKeys(visit)).find((one) => one === view.type);
  const registration = type && (await registrationOf(visit, type));
  const recovery = await recoveryCodeWith(visit, form);
  const key = { user, client: undefined, response: parseKeyResponse(response), factors, codeHash: recovery?.hash };
  const outcome = registration && (await addKey(tenant, { ...key, registration }));
  if (outcome === "already-enrolled") return toOtherFactor(visit);
  if (type === undefined || outcome !== "added") return redirectResponse(securityUrl(tenant, { ...view, problem: "key-rejected" }));
  await recordNewFactor(visit, type);
  return factorAdded(visit, form);
}

async function registrationOf({ tenant, user, session }: AccountVisit, type: WebauthnType): Promise<Registration | undefined> {
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const factors = await findFactors(tenant.data, user);
  return { relyingParty, boundTo: session.id, userId: user.user_id, factors, type, ...verificationOf(tenant, type) };
}
