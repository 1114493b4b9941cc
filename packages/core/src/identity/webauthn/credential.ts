import { base64url } from "jose";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";
import { credentialIdSchema, userHandleSchema } from "../../model/factors/webauthn.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";
import { loadWebauthn } from "./library.ts";
import { isSupportedKey } from "./public-key.ts";

/** The factor types that have a WebAuthn credential. */
export const webauthnTypes = ["passkey", "webauthn-roaming", "webauthn-platform"] as const;
export type WebauthnType = (typeof webauthnTypes)[number];

/** The content of `factors.credential`. */
export const credentialSchema = z.object({
  id: credentialIdSchema,
  /** The RP ID that the credential belongs to. */
  rp_id: z.string(),
  /** The COSE public key in base64url. */
  public_key: z.string(),
  /** The user handle in base64url. Null for an imported credential whose user handle is unknown. */
  user_handle: userHandleSchema.nullable(),
  /** The model of the authenticator as a UUID. Null if it is unknown. */
  aaguid: z.string().nullable(),
  transports: z.array(z.string()),
  device_type: z.enum(["single_device", "multi_device"]),
  /** Whether the credential is backed up, for example synced by a password manager. */
  backed_up: z.boolean(),
  /** Whether the credential can be backed up; it never changes. Null until the first use of an imported credential. */
  backup_eligible: z.boolean().nullable(),
  /** Whether the authenticator has verified the user at least once. */
  uv_seen: z.boolean(),
});
export type Credential = z.output<typeof credentialSchema>;

/** The values of a factor that has a WebAuthn credential, as `storeFactor` expects them. */
export interface CredentialValues {
  readonly credentialHash: string;
  readonly credential: JsonObject;
  readonly signCount: number;
}

/** Returns the values of the factor for a new credential. */
export async function toCredentialValues(credential: Credential, signCount: number): Promise<CredentialValues> {
  return { credentialHash: await credentialHash(credential.rp_id, credential.id), credential: { ...credential }, signCount };
}

/** A credential that an administrator imports from another service. */
export interface ImportedCredential {
  readonly rpId: string;
  /** The credential id in base64url. */
  readonly id: string;
  /** The COSE public key in base64url. */
  readonly publicKey: string;
  readonly userHandle?: string | undefined;
  readonly aaguid?: string | undefined;
  readonly transports?: readonly string[] | undefined;
  readonly deviceType?: Credential["device_type"] | undefined;
  readonly backedUp?: boolean | undefined;
}

/**
 * Returns the values of the factor for an imported credential.
 * @returns undefined if the credential id, the user handle or the public key is malformed, or if the algorithm of the
 * public key is not supported.
 */
export async function importCredential(imported: ImportedCredential): Promise<CredentialValues | undefined> {
  const { rpId, publicKey, userHandle, aaguid, transports, deviceType, backedUp = false } = imported;
  const [id, handle] = [credentialIdSchema.safeParse(imported.id), userHandleSchema.safeParse(userHandle ?? "AA")];
  if (!id.success || !handle.success || !(await isSupportedPublicKey(publicKey))) return undefined;
  const backupEligible = deviceType === undefined ? null : deviceType === "multi_device";
  if (backupEligible === false && backedUp) return undefined;
  return toCredentialValues(
    {
      id: imported.id,
      rp_id: rpId,
      public_key: publicKey,
      user_handle: userHandle ?? null,
      aaguid: aaguid ?? null,
      transports: knownTransports(transports),
      device_type: deviceType ?? (backedUp ? "multi_device" : "single_device"),
      backed_up: backedUp,
      backup_eligible: backupEligible,
      uv_seen: false,
    },
    0,
  );
}

async function isSupportedPublicKey(publicKey: string): Promise<boolean> {
  const library = await loadWebauthn();
  try {
    return isSupportedKey(library, new Uint8Array(base64url.decode(publicKey)));
  } catch {
    return false;
  }
}

/** Returns how the browser can reach the authenticator, without values that are not in the registry's format. */
export function knownTransports(transports: readonly string[] | null | undefined): string[] {
  return [...new Set(transports)].filter((transport) => /^[a-z][a-z-]{0,31}$/.test(transport)).slice(0, 10);
}

/** Returns the hash that identifies a credential in a tenant. The same credential id can exist at another RP ID. */
async function credentialHash(rpId: string, credentialId: string): Promise<string> {
  return sha256(`${rpId}|${credentialId}`);
}

/** Finds the confirmed factor of a credential, whoever owns it. */
export async function findCredential(data: TenantData, rpId: string, credentialId: string): Promise<Row<"factors"> | undefined> {
  const where = { credential_hash: await credentialHash(rpId, credentialId), confirmed_at: { exists: true } } as const;
  const factor = await findOne(data.factors, where);
  return factor;
}

/** Returns the credentials for an RP ID among the factors of a user, without those of unconfirmed factors. */
export function credentialsAt(factors: readonly Row<"factors">[], rpId: string): readonly Credential[] {
  return factors
    .filter(({ type, confirmed_at: confirmed }) => confirmed !== null && webauthnTypes.some((one) => one === type))
    .map(({ credential }) => credentialSchema.parse(credential))
    .filter(({ rp_id: id }) => id === rpId);
}

/**
 * Returns the user handle for a new credential: that of the user's other credentials for the RP ID, so that the browser
 * shows one account, else 32 bytes. The handle of a linked account is not used: it belongs to that account again after it
 * was unlinked, and the authenticator overwrites a passkey by another one with the same handle. These derive from a key of the host application, so that they are known again when
 * the response arrives and reveal nothing about the user (WebAuthn section 14.6.1).
 */
export async function userHandleOf(
  { data, secrets }: DataContext,
  rpId: string,
  userId: string,
  factors: readonly Row<"factors">[],
): Promise<string> {
  const own = factors.filter(({ user_id: accountId }) => accountId === userId);
  const known = credentialsAt(own, rpId).find(({ user_handle: handle }) => handle !== null)?.user_handle;
  return known ?? sha256(await secrets.fingerprints.of("webauthn user handle", data.tenantId, rpId, userId));
}
