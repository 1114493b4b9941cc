import * as z from "zod";

/** Bytes in base64url without padding. @param bytes the maximum number of bytes. */
const base64urlOf = (bytes: number) =>
  z
    .string()
    .min(1)
    .max(Math.ceil((bytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/);

/** A credential id (WebAuthn section 4): at most 1023 bytes. */
export const CredentialId = base64urlOf(1023);

/** A user handle (WebAuthn section 4): at most 64 bytes. */
export const UserHandle = base64urlOf(64);

const clientData = base64urlOf(6144);
const attachment = z.enum(["platform", "cross-platform"]);
const transports = z.array(z.string().max(32)).max(20);

const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.looseObject({}).exactOptional(),
};

/**
 * The result of `navigator.credentials.create()` as JSON (`RegistrationResponseJSON` of WebAuthn Level 3). The limits
 * leave room for RSA keys of 8192 bits and for extensions. Other members are ignored.
 */
export const RegistrationResponse = z
  .object({
    ...credential,
    response: z.object({ clientDataJSON: clientData, attestationObject: base64urlOf(6144), transports: transports.nullish() }),
  })
  .meta({ id: "WebauthnRegistrationResponse" });
export type RegistrationResponse = z.output<typeof RegistrationResponse>;

/**
 * The result of `navigator.credentials.get()` as JSON (`AuthenticationResponseJSON` of WebAuthn Level 3). Other members
 * are ignored.
 */
export const AuthenticationResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: base64urlOf(3072),
      signature: base64urlOf(1024),
      userHandle: UserHandle.or(z.literal("")).nullish(),
    }),
  })
  .meta({ id: "WebauthnAuthenticationResponse" });
export type AuthenticationResponse = z.output<typeof AuthenticationResponse>;

/** Whether the authenticator must verify the user, by a PIN or by biometrics (WebAuthn section 5.8.6). */
export const UserVerification = z.enum(["required", "preferred", "discouraged"]);
export type UserVerification = z.infer<typeof UserVerification>;

/** Where the authenticator is: in the user's device, or connected to it (WebAuthn section 5.4.5). */
export type AuthenticatorAttachment = z.infer<typeof attachment>;

const CredentialDescriptor = z.strictObject({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()).exactOptional(),
});

/** The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn Level 3). */
export const CreationOptions = z
  .strictObject({
    challenge: z.string(),
    timeout: z.int().positive(),
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.strictObject({ type: z.literal("public-key"), alg: z.int() })),
    authenticatorSelection: z.strictObject({
      authenticatorAttachment: attachment.exactOptional(),
      residentKey: z.enum(["required", "preferred", "discouraged"]),
      requireResidentKey: z.boolean(),
      userVerification: UserVerification,
    }),
    attestation: z.literal("none"),
    excludeCredentials: z.array(CredentialDescriptor),
    extensions: z.strictObject({ credProps: z.literal(true) }),
  })
  .meta({ id: "WebauthnCreationOptions" });
export type CreationOptions = z.infer<typeof CreationOptions>;

/** The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn Level 3). */
export const RequestOptions = z
  .strictObject({
    challenge: z.string(),
    timeout: z.int().positive(),
    rpId: z.string(),
    allowCredentials: z.array(CredentialDescriptor).exactOptional(),
    userVerification: UserVerification,
  })
  .meta({ id: "WebauthnRequestOptions" });
export type RequestOptions = z.infer<typeof RequestOptions>;
