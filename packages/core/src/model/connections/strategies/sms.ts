import * as z from "zod";
import { webUrlOrEmptySchema } from "../../clients/registered-urls.ts";
import { storedOnlyFields } from "../../settings.ts";
import { flagKind, textKind } from "./kinds.ts";
import { storedOnlyPasswordlessOptions, supportedPasswordlessOptions } from "./passwordless-options.ts";
import type { LocalStrategy } from "./strategy.ts";

const storedOnlyOptions = storedOnlyFields({
  forward_req_info: flagKind,
  from: textKind(1, 128),
  gateway_authentication: z.strictObject({
    audience: textKind(1, 128),
    method: textKind(1, 20),
    // Auth0 requires the secret and returns it. Postern does not return it, so a body that was created from a
    // response must be accepted without it.
    secret: textKind(1, 5120).exactOptional(),
    secret_base64_encoded: flagKind.exactOptional(),
    subject: textKind(1, 64).exactOptional(),
  }),
  gateway_url: webUrlOrEmptySchema,
  messaging_service_sid: z.string().regex(/^MG[0-9a-fA-F]{32}$/, "must be MG and 32 hexadecimal digits"),
  name: textKind(1, 255),
  provider: z.enum(["sms_gateway", "twilio"]),
  syntax: z.enum(["liquid", "md_with_macros"]),
  twilio_sid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits"),
  twilio_token: textKind(32, 2048),
});

/** One-time codes by SMS. Unknown options are rejected, so that typos are detected. */
export const sms: LocalStrategy = {
  kind: "passwordless",
  title: "one-time codes by SMS",
  options: z
    .strictObject({ ...supportedPasswordlessOptions, template: textKind(1, 5120), ...storedOnlyOptions, ...storedOnlyPasswordlessOptions })
    .exactPartial(),
  defaults: { brute_force_protection: true },
  // The sender of a message is not a preference: it is inherited together with the gateway.
  inheritance: {
    preferences: ["totp", "template", "syntax"],
    neverInherited: ["disable_signup", "forward_req_info", "name", ...Object.keys(storedOnlyPasswordlessOptions)],
  },
  destination: ["provider", "gateway_url"],
};
