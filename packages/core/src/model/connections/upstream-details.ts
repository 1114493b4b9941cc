import * as z from "zod";

/** The schema of {@link UpstreamStep}. */
const stepSchema = z.enum(["discovery", "authorization request", "authorization response", "token", "id_token", "jwks", "userinfo"]);

/** A step of a sign-in at an identity provider. */
export type UpstreamStep = z.infer<typeof stepSchema>;

/** The schema of {@link UpstreamDetails}. */
export const upstreamDetailsSchema = z.strictObject({
  step: stepSchema,
  /** The URL without its query. */
  url: z.string().exactOptional(),
  /** The HTTP status. */
  status: z.number().exactOptional(),
  /** `error` and `error_description` in the provider's response (RFC 6749 section 5.2). */
  error: z.string().exactOptional(),
  error_description: z.string().exactOptional(),
  /** The name of a rejected claim, header parameter or member. */
  claim: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  received: z.string().exactOptional(),
  /** The difference between a claim that contains a time and the clock of this server, in seconds. */
  clock_difference: z.number().exactOptional(),
});

/**
 * The details of a failed step, for the operator's log and the audit event. All text is limited in length and contains
 * no token, code or secret.
 */
export type UpstreamDetails = Readonly<z.infer<typeof upstreamDetailsSchema>>;
