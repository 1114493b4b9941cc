import * as z from "zod";
import { upstreamDetailsSchema } from "./upstream-details.ts";

/** The body of `POST /api/v2/connections/{id}/test`. */
export const startConnectionTestSchema = z
  .strictObject({
    return_url: z.string().max(1024).meta({
      description:
        "The http or https URL to which the browser returns. Its origin is that of a callback URL of the client that the token was issued to",
    }),
  })
  .meta({ id: "ConnectionTestStart" });

/** The response of `POST /api/v2/connections/{id}/test`. */
export const startedConnectionTestSchema = z
  .strictObject({
    url: z.string().meta({ description: "The URL to open in the browser of the caller" }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "ConnectionTestStarted" });

/** The body of `POST /api/v2/connections/{id}/test/result`. */
export const finishConnectionTestSchema = z
  .strictObject({
    response: z.string().max(60_000).meta({ description: "The parameter `response` that the return URL received" }),
  })
  .meta({ id: "ConnectionTestFinish" });

/** The checks of a test sign-in, in this order. */
export const connectionChecks = [
  "configuration",
  "metadata",
  "state",
  "response",
  "token",
  "algorithm",
  "lifetime",
  "issuer",
  "audience",
  "nonce",
  "signature",
  "userinfo",
  "subject",
  "mapping",
  "email",
  "email_verified",
  "email_authority",
  "sign_up",
] as const;

/** The name of a check. */
export type ConnectionCheckName = (typeof connectionChecks)[number];

const checkSchema = z.strictObject({
  name: z.enum(connectionChecks),
  status: z.enum(["passed", "failed", "warning", "not_run"]).meta({
    description: "`failed`: users cannot sign in. `warning`: they can, with less than the provider could give",
  }),
  message: z.string().exactOptional(),
});

/** A check of a test sign-in. */
export type ConnectionCheck = z.infer<typeof checkSchema>;

/** The response of `POST /api/v2/connections/{id}/test/result`. It never contains a token. */
export const connectionTestResultSchema = z
  .strictObject({
    success: z.boolean().meta({ description: "Whether a user could sign in with the response of the provider" }),
    checks: z.array(checkSchema),
    profile: z
      .record(z.string(), z.unknown())
      .meta({ description: "The members of the user that a first sign-in would create. They are not stored" })
      .exactOptional(),
    claims: z
      .record(z.string(), z.unknown())
      .meta({ description: "What the provider sent about the user. Long texts are cut" })
      .exactOptional(),
    error: z
      .strictObject({ message: z.string(), ...upstreamDetailsSchema.exactPartial().shape })
      .meta({ description: "Why the sign-in failed, with the provider's own `error` and `error_description`" })
      .exactOptional(),
  })
  .meta({ id: "ConnectionTestResult" });

/** The result of a test sign-in. */
export type ConnectionTestResult = z.infer<typeof connectionTestResultSchema>;
