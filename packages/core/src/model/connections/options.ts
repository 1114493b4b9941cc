import type * as z from "zod";
import { apple } from "./strategies/apple.ts";
import { auth0 } from "./strategies/auth0.ts";
import { email } from "./strategies/email.ts";
import { google } from "./strategies/google-oauth2.ts";
import { oauth2 } from "./strategies/oauth2.ts";
import { oidc } from "./strategies/oidc.ts";
import { samlp } from "./strategies/samlp.ts";
import { sms } from "./strategies/sms.ts";
import { upstream, upstreamBody } from "./strategies/upstream.ts";
import { storedOnly } from "../settings.ts";
import { waad } from "./strategies/waad.ts";
import { windowslive } from "./strategies/windowslive.ts";

const provider = upstreamBody(upstream);

/** The options that a body may hold, by strategy: a file each. */
const strategies: { readonly [strategy: string]: z.ZodType } = {
  auth0,
  email,
  sms,
  oidc,
  okta: oidc,
  oauth2,
  samlp,
  waad,
  "google-oauth2": google,
  apple,
  windowslive,
  github: provider,
  facebook: provider,
  linkedin: provider,
};

/** Of strategies that nobody signs in by yet. */
const otherBody = storedOnly(provider);

/** The schema of the options that a body may hold for a strategy. */
export function optionsBody(strategy: string): z.ZodType {
  return strategies[strategy] ?? otherBody;
}
