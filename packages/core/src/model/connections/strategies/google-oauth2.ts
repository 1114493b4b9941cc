import * as z from "zod";
import { text } from "./kinds.ts";
import { emailDomains, isAuthoritativeFor } from "./email-authority.ts";
import { readClaims, scopeOf, textIn, type UpstreamStrategy } from "./provider.ts";
import { storedOnlyFields } from "../../settings.ts";
import { upstream, upstreamBody } from "./upstream.ts";

const options = { ...upstream, ...storedOnlyFields({ allowed_audiences: z.array(text(1, 255)).min(1).max(64) }) };

/** Google. */
export const google: z.ZodType = upstreamBody(options);

/** Google gives out the addresses of its own domains, and those of the workspace that an account belongs to (`hd`). */
export const googleProvider: UpstreamStrategy = {
  describe: (given) => ({
    place: { discover: "https://accounts.google.com" },
    scope: scopeOf(given, ["openid"], ["email", "profile"]),
    read: (told) => readClaims(told, (email) => isAuthoritativeFor(email, [...emailDomains.google, textIn(told, "hd")])),
  }),
};
