import * as z from "zod";

/** Bytes in base64url without padding. @param bytes the maximum number of bytes. */
const base64urlOf = (bytes: number) =>
  z
    .string()
    .min(1)
    .max(Math.ceil((bytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/);

/** A credential id (WebAuthn section 4): at most 1023 bytes. */
export const credentialIdSchema = base64urlOf(1023);

/** A user handle (WebAuthn section 4): at most 64 bytes. */
export const userHandleSchema = base64urlOf(64);

const clientData = base64urlOf(6144);
const attachment = z.enum(["platform", "cross-platform"]);
const transports = z.array(z.string().max(32)).max(20);

const credential = {
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: z.literal("public-key"),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.looseObject({}).exactOptional(),
};

/**
 * The result of `navigator.credentials.create()` as JSON (`RegistrationResponseJSON` of WebAuthn Level 3). The limits
 * leave room for RSA keys of 8192 bits and for extensions. Other members are ignored.
 */
export const registrationResponseSchema = z
  .object({
    ...credential,
    response: z.object({ clientDataJSON: clientData, attestationObject: base64urlOf(6144), transports: transports.nullish() }),
  })
  .meta({ id: "WebauthnRegistrationResponse" });
export type RegistrationResponse = z.output<typeof registrationResponseSchema>;

/**
 * The result of `navigator.credentials.get()` as JSON (`AuthenticationResponseJSON` of WebAuthn Level 3). Other members
 * are ignored.
 */
export const authenticationResponseSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: base64urlOf(3072),
      signature: base64urlOf(1024),
      userHandle: userHandleSchema.or(z.literal("")).nullish(),
    }),
  })
  .meta({ id: "WebauthnAuthenticationResponse" });
export type AuthenticationResponse = z.output<typeof authenticationResponseSchema>;

/** Whether the authenticator must verify the user, by a PIN or by biometrics (WebAuthn section 5.8.6). */
export const userVerificationSchema = z.enum(["required", "preferred", "discouraged"]);
export type UserVerification = z.infer<typeof userVerificationSchema>;

/** How the authenticator is attached: built into the user's device, or connected to it (WebAuthn section 5.4.5). */
export type AuthenticatorAttachment = z.infer<typeof attachment>;

const credentialDescriptorSchema = z.strictObject({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()).exactOptional(),
});

/** The members of `PublicKeyCredentialCreationOptionsJSON` that every registration sends (WebAuthn Level 3, section 5.1.9). */
export const newCredentialFields = {
  challenge: z.string(),
  timeout: z.int().positive(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal("public-key"), alg: z.int() })),
};

/** The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn Level 3). */
export const creationOptionsSchema = z
  .strictObject({
    ...newCredentialFields,
    authenticatorSelection: z.strictObject({
      authenticatorAttachment: attachment.exactOptional(),
      residentKey: z.enum(["required", "preferred", "discouraged"]),
      requireResidentKey: z.boolean(),
      userVerification: userVerificationSchema,
    }),
    hints: z.array(z.enum(["security-key"])).exactOptional(),
    attestation: z.literal("none"),
    excludeCredentials: z.array(credentialDescriptorSchema),
    extensions: z.strictObject({ credProps: z.literal(true) }),
  })
  .meta({ id: "WebauthnCreationOptions" });
export type CreationOptions = z.infer<typeof creationOptionsSchema>;

/** The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn Level 3). */
export const requestOptionsSchema = z
  .strictObject({
    challenge: z.string(),
    timeout: z.int().positive(),
    rpId: z.string(),
    allowCredentials: z.array(credentialDescriptorSchema).exactOptional(),
    userVerification: userVerificationSchema,
  })
  .meta({ id: "WebauthnRequestOptions" });
export type RequestOptions = z.infer<typeof requestOptionsSchema>;
