import * as z from "zod";
import { text } from "./kinds.ts";
import { emailDomains, isAuthoritativeFor } from "./email-authority.ts";
import { readClaims, scopeOf, textIn } from "./provider.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { storedOnlyFields } from "../../settings.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = { ...upstream, ...storedOnlyFields({ allowed_audiences: z.array(text(1, 255)).min(1).max(64) }) };

/** Google. It is authoritative for the addresses of its own domains, and of the workspace of an account (`hd`). */
export const google: IdentityProviderStrategy = {
  kind: "social",
  title: "Google",
  label: "Google",
  options: upstreamBody(options),
  defaults: { email: true, profile: true, scope: ["email", "profile"] },
  lending: upstreamLending,
  describe: (given) => ({
    place: { discover: "https://accounts.google.com" },
    scope: scopeOf(given, ["openid"], ["email", "profile"]),
    read: (told) => readClaims(told, (email) => isAuthoritativeFor(email, [...emailDomains.google, textIn(told, "hd")])),
  }),
};
