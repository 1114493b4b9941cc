import { apple } from "./strategies/apple.ts";
import { auth0 } from "./strategies/auth0.ts";
import { email } from "./strategies/email.ts";
import { facebook } from "./strategies/facebook.ts";
import { github } from "./strategies/github.ts";
import { google } from "./strategies/google-oauth2.ts";
import { linkedin } from "./strategies/linkedin.ts";
import { oauth2 } from "./strategies/oauth2.ts";
import { oidc } from "./strategies/oidc.ts";
import { okta } from "./strategies/okta.ts";
import { samlp } from "./strategies/samlp.ts";
import { sms } from "./strategies/sms.ts";
import type { Strategy } from "./strategies/strategy.ts";
import { waad } from "./strategies/waad.ts";
import { windowslive } from "./strategies/windowslive.ts";

/** The strategies that Postern knows, in the order of `docs/reference/settings.md`. */
export const strategies: { readonly [name: string]: Strategy } = {
  auth0,
  email,
  sms,
  "google-oauth2": google,
  github,
  facebook,
  linkedin,
  windowslive,
  apple,
  waad,
  oidc,
  okta,
  oauth2,
  samlp,
};
