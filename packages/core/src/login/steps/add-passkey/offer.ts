import { decideChange } from "../../../identity/factors/change-permission.ts";
import { factorTypesOf, readConfirmedFactors } from "../../../identity/factors/confirmed-factors.ts";
import { combinesTwoFactors } from "../../../identity/factors/factor-uses.ts";
import type { Factor } from "../../../identity/factors/factors.ts";
import { areFactorsFrozen } from "../../../identity/factors/frozen-factors.ts";
import { registrationOptions, type Registration } from "../../../identity/webauthn/registration.ts";
import { passkeySettings } from "../../../identity/connections/passkey-settings.ts";
import type { FactorType } from "../../../model/factors/factor-types.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import type { CreationOptions } from "../../../model/factors/webauthn.ts";
import type { Row } from "../../../store/schema.ts";
import { rememberDeclinedPasskey } from "../../cookies.ts";
import { accountLabel } from "../../factors/account-label.ts";
import { confirmNewKey } from "../../factors/confirm-new-factor.ts";
import type { BrowserSession, Interaction } from "../../interaction.ts";
import { passedFactors } from "../../missing-factor.ts";
import type { ActionResult } from "../../step.ts";

/** A passkey that the user may add now. */
interface PasskeyOffer {
  readonly registration: Registration;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
  /** Whether the browser may create the passkey without a prompt, because the user just entered a password. */
  readonly allowsConditional: boolean;
}

const type = "passkey" satisfies FactorType;

/**
 * Returns the passkey that the user is offered after the sign-in: if they signed in with a password and have no passkey,
 * or with the passkey of another device. Undefined if the browser cannot create one, if the user declined it, or if the
 * connection does not offer it, or while the user's factors are frozen.
 *
 * A passkey is a change of factors: a user who has factors must have passed one that permits changes. Otherwise a password
 * alone would be sufficient to add a passkey, which signs in without those factors. Reads only loaded rows for a user
 * without factors.
 */
export async function passkeyOffer(interaction: Interaction, { user }: BrowserSession): Promise<PasskeyOffer | undefined> {
  const { tenant, login, progress } = interaction;
  const { can_create_passkey: isSupported, used_remote_passkey: usedRemote, passkey_offer: answer, proofs } = progress;
  const proof = proofs.at(-1);
  if (login === undefined || isSupported !== true || answer !== undefined || proof?.user_id !== user.user_id) return undefined;
  if (areFactorsFrozen(tenant, user)) return undefined;
  const isPassword = proof.method === "pwd";
  const onNewDevice = proof.method === "passkey" && usedRemote === true;
  const connection = await tenant.connections.byId(proof.connection_id);
  const settings = connection && passkeySettings(connection);
  const isOffered = (isPassword && settings?.isOfferedAfterPassword) || (onNewDevice && settings?.isOfferedOnNewDevice);
  if (isOffered !== true || (await hasDeclined(interaction, user))) return undefined;
  const factors = await readConfirmedFactors(tenant, user);
  const types = factorTypesOf(factors);
  if (isPassword && types.includes(type)) return undefined;
  const { method, user_verified: userVerified, at } = proof;
  const permission = decideChange({
    now: tenant.now(),
    isFrozen: false,
    // A passkey that was the first factor is no second one.
    usable: types.filter((one) => one !== type || method !== type),
    hasUnavailableFactor: false,
    passed: passedFactors(interaction, user),
    authenticatedAt: at,
    isTwoFactors: combinesTwoFactors({ method, ...(userVerified !== undefined && { userVerified }) }, multifactorSettings(tenant.record)),
  });
  if (permission.kind !== "allowed") return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const registration: Registration = { relyingParty, boundTo: login.id, userId: user.user_id, factors, type, userVerification: "required" };
  return { registration, factors, allowsConditional: isPassword };
}

/** The fields of a screen with which the browser creates a passkey. */
interface PasskeyCreation {
  readonly publicKey: CreationOptions;
  readonly conditional?: CreationOptions;
}

/** Returns the fields of a screen with which the browser creates the offered passkey. */
export async function offeredCreation(
  { tenant }: Interaction,
  { registration, allowsConditional }: PasskeyOffer,
  user: Row<"users">,
): Promise<PasskeyCreation> {
  const name = accountLabel(user);
  const prompt = { name, displayName: user.name || name };
  return {
    // A passkey on this device: otherwise the browser would offer security keys and phones as well.
    publicKey: await registrationOptions(tenant, registration, { ...prompt, attachment: "platform" }),
    ...(allowsConditional && { conditional: await registrationOptions(tenant, conditionally(registration), prompt) }),
  };
}

/** A submitted response of an authenticator. */
interface CreatedPasskey {
  /** The response as JSON. */
  readonly response: string;
  /** Whether the browser created the passkey without a prompt. */
  readonly isConditional: boolean;
}

/** Adds the passkey whose response was submitted. */
export async function addOfferedPasskey(
  interaction: Interaction,
  person: BrowserSession,
  { response, isConditional }: CreatedPasskey,
): Promise<ActionResult> {
  const { tenant, client } = interaction;
  const { user } = person;
  const offer = await passkeyOffer(interaction, person);
  if (offer === undefined || (isConditional && !offer.allowsConditional)) return {};
  const registration = isConditional ? conditionally(offer.registration) : offer.registration;
  const context = { tenant, user, client, factors: offer.factors, prepare: () => Promise.resolve(undefined) };
  const result = await confirmNewKey(context, registration, response);
  if (result.kind === "rejected") return { problem: result.problem };
  // Another factor was added since the passkey was offered. Without it, no passkey is offered.
  if (result.kind !== "confirmed") return {};
  return { change: (progress) => ({ ...progress, passkey_offer: "accepted" }) };
}

/** Stores that the user does not want to add a passkey: they are not asked again in this browser for 30 days. */
export async function declinePasskey({ tenant }: Interaction, person: BrowserSession): Promise<ActionResult> {
  const cookies = [rememberDeclinedPasskey(tenant, await fingerprintOf({ tenant }, person.user))];
  return { change: (progress) => ({ ...progress, passkey_offer: "declined" }), signedIn: { browser: person, cookies } };
}

async function hasDeclined(interaction: Interaction, user: Row<"users">): Promise<boolean> {
  const { declinedPasskey } = interaction.remembered;
  return declinedPasskey !== undefined && declinedPasskey === (await fingerprintOf(interaction, user));
}

function fingerprintOf({ tenant }: Pick<Interaction, "tenant">, { user_id: userId }: Row<"users">): Promise<string> {
  return tenant.secrets.fingerprints.of("declined passkey", tenant.id, userId);
}

/** A conditional create confirms neither the presence of the user nor user verification. */
function conditionally(registration: Registration): Registration {
  return { ...registration, conditional: true, userVerification: "preferred" };
}
