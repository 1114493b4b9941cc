import { Secret, TOTP } from "otpauth";
import type { RandomValues } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { sealOf } from "../../crypto/seal.ts";
import { findOne } from "../../store/find-one.ts";
import { sealedPlaceOf, type SealedPlace } from "../../store/sealed.ts";
import type { Row } from "../../store/schema.ts";
import { foldDigits } from "../../model/typed-digits.ts";

/**
 * Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits
 * and steps of 30 seconds.
 */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/**
 * How many steps before and after the current step are accepted, because clocks differ and typing takes time (RFC 6238
 * section 5.2).
 */
const window = 1;

/** The number of bytes in a new key (RFC 4226 section 4 recommends 160 bits). */
const newSecretBytes = 20;

/** The number of bytes that an imported key may have. Older apps used 80 bits. */
const importedSecretBytes = { minimum: 10, maximum: 128 } as const;

/** Maximum number of characters of the names in the URI. A longer URI makes a QR code that cameras read badly. */
const nameLengths = { issuer: 32, account: 64 } as const;

/** The member of `factors.secrets` that contains the encrypted key. */
const member = "totp_secret";

/** Returns a new random key in base32: 32 characters. */
export function newTotpSecret(random: Pick<RandomValues, "bytes">): string {
  return new Secret({ buffer: Uint8Array.from(random.bytes(newSecretBytes)).buffer }).base32;
}

/**
 * Validates a key that comes from another system.
 * @param text base32; spaces, lower case and padding are accepted.
 * @returns the key in base32 without spaces and padding; undefined if it is not base32, or if it has less than 80 bits
 * or more than 1024 bits.
 */
export function importTotpSecret(text: string): string | undefined {
  const base32 = text.replaceAll(" ", "").toUpperCase().replace(/=+$/, "");
  if (!/^[A-Z2-7]+$/.test(base32)) return undefined;
  const bytes = Math.floor((base32.length * 5) / 8);
  return bytes < importedSecretBytes.minimum || bytes > importedSecretBytes.maximum ? undefined : base32;
}

/** The content of the QR code that an authenticator app scans. */
interface TotpLabel {
  /** The name of the tenant, which the app shows above the account. */
  readonly issuer: string;
  /** The email address, phone number or name of the user. */
  readonly account: string;
  /** The key in base32. */
  readonly secret: string;
}

/**
 * Returns the `otpauth:` URI of a key, as authenticator apps read it from a QR code
 * (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). A colon separates the two names, so colons in
 * them are replaced. The names are cut after 32 and 64 characters.
 */
export function totpUri({ issuer, account, secret }: TotpLabel): string {
  return new TOTP({
    ...parameters,
    issuer: labelPart(issuer, nameLengths.issuer),
    label: labelPart(account, nameLengths.account),
    secret,
  }).toString();
}

function labelPart(name: string, length: number): string {
  return Array.from(name.replaceAll(":", " ").replaceAll(/\s+/g, " ").trim()).slice(0, length).join("");
}

/** Encrypts the key of an authenticator app. Returns the columns of the factor with this id. */
export async function sealTotpSecret(
  context: DataContext,
  factorId: string,
  secret: string,
): Promise<Pick<Row<"factors">, "secrets" | "seal">> {
  const sealed = await context.secrets.sealer.seal(placeOf(context, factorId), secret);
  return { secrets: { [member]: sealed }, seal: sealOf(context, [sealed]) };
}

/**
 * Decrypts the key of an authenticator app, in base32. Only the browser that enrolls the factor may show it, and only
 * until the factor is confirmed.
 * @throws if the factor has no key, or if no key of the key ring decrypts it.
 */
export async function openTotpSecret(context: DataContext, { id, secrets }: Pick<Row<"factors">, "id" | "secrets">): Promise<string> {
  return context.secrets.sealer.open(placeOf(context, id), String(secrets[member]));
}

/** How long a form that used a code can be submitted again, in milliseconds. */
const repeatable = 10 * 60_000;

/**
 * Verifies a code of an authenticator app and marks its time step as used (RFC 6238 section 5.2). A code of this step or
 * of an earlier step is rejected from then on. Of parallel calls with the same code, one returns `right`. Call
 * `reserveFactorAttempt` first.
 * @param factor a factor of type `totp`, as it was read. It may be unconfirmed.
 * @param code the code as typed. It is read by `foldDigits`.
 * @param form identifies the submitted form and its code. Undefined if no form was submitted.
 * @returns when, in milliseconds since 1970, the form has used the code, if it is submitted again: the user clicked twice,
 * or the response was lost.
 */
export async function verifyTotp(
  context: DataContext,
  factor: Pick<Row<"factors">, "id" | "user_id" | "secrets">,
  code: string,
  form?: string,
): Promise<"right" | "wrong" | { readonly at: number }> {
  const token = foldDigits(code);
  if (!/^\d{6}$/.test(token)) return "wrong";
  const secret = Secret.fromBase32(await openTotpSecret(context, factor));
  const timestamp = context.now();
  const delta = TOTP.validate({ ...parameters, token, secret, timestamp, window });
  const { factors } = context.data;
  const { id, user_id } = factor;
  if (delta !== null) {
    const step = TOTP.counter({ ...parameters, timestamp }) + delta;
    const set = { last_step: step, last_used_at: timestamp, used_form: form ?? null };
    if ((await factors.update({ id, user_id, last_step: { lt: step } }, { set, add: { revision: 1 } })) === 1) return "right";
  }
  if (form === undefined) return "wrong";
  const former = await findOne(factors, { id, user_id, used_form: form });
  const { last_used_at: at = null } = former ?? {};
  return at !== null && at > timestamp - repeatable ? { at } : "wrong";
}

function placeOf({ data }: DataContext, factorId: string): SealedPlace {
  return sealedPlaceOf("factors", data.tenantId, factorId, member);
}
