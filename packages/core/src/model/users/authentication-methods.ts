import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { factorKind, factorTypeSchema } from "../factors/factor-types.ts";
import { messageTypeSchema } from "../factors/multifactor.ts";
import { credentialIdSchema, userHandleSchema } from "../factors/webauthn.ts";
import { domainNameSchema } from "../tenant/domain-name.ts";
import { emailSchema } from "../email-address.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";
import { phoneNumberSchema } from "../phone-number.ts";

const name = z.string().min(1).max(64);

/** An authentication method of a user: a second factor or a passkey. Passwords are not listed. */
export const userAuthenticationMethodSchema = z
  .strictObject({
    id: z.string(),
    type: factorTypeSchema,
    confirmed: z.boolean().meta({ description: "False until the user has used the method once" }),
    name: z.string().exactOptional(),
    authentication_methods: z.array(z.strictObject({ id: z.string(), type: z.enum(["totp", "sms", "voice"]) })).exactOptional(),
    preferred_authentication_method: messageTypeSchema.exactOptional(),
    phone_number: z.string().exactOptional(),
    email: z.string().exactOptional(),
    key_id: z.string().exactOptional().meta({ description: "The id of the WebAuthn credential in base64url" }),
    public_key: z.string().exactOptional().meta({ description: "The COSE public key in base64" }),
    relying_party_identifier: z.string().exactOptional(),
    credential_device_type: z.enum(["single_device", "multi_device"]).exactOptional(),
    credential_backed_up: z.boolean().exactOptional(),
    user_handle: z.string().exactOptional(),
    aaguid: z.string().exactOptional(),
    transports: z.array(z.string()).exactOptional(),
    created_at: timestampSchema,
    enrolled_at: timestampSchema.exactOptional(),
    last_auth_at: timestampSchema.exactOptional(),
  })
  .meta({ id: "AuthenticationMethod" });

const phone = {
  type: z.literal("phone"),
  name: name.exactOptional(),
  phone_number: phoneNumberSchema,
  preferred_authentication_method: messageTypeSchema.exactOptional(),
};
const email = { type: z.literal("email"), name: name.exactOptional(), email: emailSchema };
const totp = {
  type: z.literal("totp"),
  name: name.exactOptional(),
  totp_secret: z
    .string()
    .min(1)
    .max(512)
    .meta({ description: "The key of the authenticator app in base32, with 80 to 1024 bits. No response contains it" }),
};

/** A WebAuthn credential that was registered elsewhere. */
const credential = {
  name: name.exactOptional(),
  key_id: credentialIdSchema.meta({ description: "The id of the credential in base64url" }),
  public_key: z
    .string()
    .max(4096)
    .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, "must be base64 or base64url")
    .meta({ description: "The COSE public key in base64 or base64url: EdDSA, ES256 or RS256" }),
  relying_party_identifier: z
    .union([domainNameSchema, z.literal("localhost")])
    .exactOptional()
    .meta({ description: "Default: the RP ID of the host that receives the request" }),
  credential_device_type: z.enum(["single_device", "multi_device"]).exactOptional(),
  credential_backed_up: z.boolean().exactOptional(),
  user_handle: userHandleSchema.exactOptional(),
  aaguid: z.uuid().exactOptional(),
  transports: z.array(z.string().max(32)).max(10).exactOptional(),
};

const replaceable = [z.strictObject(phone), z.strictObject(email), z.strictObject(totp)] as const;

/** The body of `POST /api/v2/users/{id}/authentication-methods`. */
export const createAuthenticationMethodSchema = z
  .discriminatedUnion("type", [
    ...replaceable,
    z.strictObject({ type: z.literal("passkey"), ...credential }),
    z.strictObject({ type: z.literal("webauthn-roaming"), ...credential }),
  ])
  .meta({ id: "CreateAuthenticationMethod" });

/** The body of `PUT /api/v2/users/{id}/authentication-methods`. */
export const replaceAuthenticationMethodsSchema = z
  .array(z.discriminatedUnion("type", replaceable).meta({ id: "ReplacementAuthenticationMethod" }))
  .max(20);

/** The body of `PATCH /api/v2/users/{id}/authentication-methods/{authentication_method_id}`. */
export const updateAuthenticationMethodSchema = z
  .strictObject({ name, preferred_authentication_method: messageTypeSchema })
  .exactPartial()
  .meta({ id: "UpdateAuthenticationMethod" });

/** A confirmed factor of a user, in the format of Auth0's former API. */
export const userEnrollmentSchema = z
  .strictObject({
    id: z.string(),
    status: z.enum(["pending", "confirmed"]),
    type: z.string(),
    name: z.string().exactOptional(),
    identifier: z.string().exactOptional().meta({ description: "The email address or phone number that codes are sent to" }),
    phone_number: z.string().exactOptional(),
    auth_method: z.enum(["authenticator", "sms", "webauthn-platform", "webauthn-roaming"]).exactOptional(),
    enrolled_at: timestampSchema.exactOptional(),
    last_auth: timestampSchema.exactOptional(),
  })
  .meta({ id: "UserEnrollment" });

/** A factor as `GET /api/v2/guardian/enrollments/{id}` returns it. */
export const enrollmentSchema = userEnrollmentSchema.omit({ type: true, auth_method: true }).meta({ id: "Enrollment" });

type FactorRow = Row<"factors">;

/** Converts the row of a factor to the Management API format. The result contains no secret. */
export function toAuthenticationMethod(row: FactorRow): z.infer<typeof userAuthenticationMethodSchema> {
  const type = factorTypeSchema.parse(row.type);
  return {
    id: row.id,
    type,
    confirmed: row.confirmed_at !== null,
    ...(row.name !== null && { name: row.name }),
    ...(type === "totp" && { authentication_methods: [{ id: row.id, type: "totp" }] }),
    ...(type === "phone" && phoneMembers(row)),
    ...(type === "email" && row.address !== null && { email: row.address }),
    ...credentialMembers(row.credential),
    created_at: toTimestamp(row.created_at),
    ...(row.confirmed_at !== null && { enrolled_at: toTimestamp(row.confirmed_at) }),
    ...(row.last_used_at !== null && { last_auth_at: toTimestamp(row.last_used_at) }),
  };
}

/** A phone is one method, with a part for each kind of message: `phone|dev_x` has the part `sms|dev_x`. */
function phoneMembers({ id, address, channel }: FactorRow): Partial<z.infer<typeof userAuthenticationMethodSchema>> {
  const preferred = messageTypeSchema.catch("sms").parse(channel);
  return {
    authentication_methods: [{ id: id.replace(/^[^|]*/, preferred), type: preferred }],
    preferred_authentication_method: preferred,
    ...(address !== null && { phone_number: address }),
  };
}

/** The members of a WebAuthn credential that responses contain. Members that a row does not have are omitted. */
const shownCredentialSchema = z
  .object({
    id: z.string(),
    public_key: z.string(),
    rp_id: z.string(),
    device_type: z.enum(["single_device", "multi_device"]),
    backed_up: z.boolean(),
    user_handle: z.string(),
    aaguid: z.string(),
    transports: z.array(z.string()),
  })
  .exactPartial();

function credentialMembers(credential: JsonObject): Partial<z.infer<typeof userAuthenticationMethodSchema>> {
  const known = Object.fromEntries(Object.entries(credential).filter(([, value]: readonly [string, Json]) => value !== null));
  const { id, public_key, rp_id, device_type, backed_up, user_handle, aaguid, transports } = shownCredentialSchema.parse(known);
  return {
    ...(id !== undefined && { key_id: id }),
    ...(public_key !== undefined && { public_key: toBase64(public_key) }),
    ...(rp_id !== undefined && { relying_party_identifier: rp_id }),
    ...(device_type !== undefined && { credential_device_type: device_type }),
    ...(backed_up !== undefined && { credential_backed_up: backed_up }),
    ...(user_handle !== undefined && { user_handle }),
    ...(aaguid !== undefined && { aaguid }),
    ...(transports !== undefined && { transports }),
  };
}

/** Converts base64url to base64 with padding (RFC 4648). */
function toBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/** Converts the row of a factor to the format of Auth0's former API. */
export function toEnrollment(row: FactorRow): z.infer<typeof enrollmentSchema> {
  return {
    id: row.id,
    status: row.confirmed_at === null ? "pending" : "confirmed",
    ...(row.name !== null && { name: row.name }),
    ...(row.address !== null && { identifier: row.address }),
    ...(row.type === "phone" && row.address !== null && { phone_number: row.address }),
    ...(row.confirmed_at !== null && { enrolled_at: toTimestamp(row.confirmed_at) }),
    ...(row.last_used_at !== null && { last_auth: toTimestamp(row.last_used_at) }),
  };
}

/** As {@link toEnrollment}, with the type of the factor. */
export function toUserEnrollment(row: FactorRow): z.infer<typeof userEnrollmentSchema> {
  const type = factorTypeSchema.parse(row.type);
  const method = factorKind(type).authMethod;
  return { ...toEnrollment(row), type: method ?? type, ...(method !== undefined && { auth_method: method }) };
}
