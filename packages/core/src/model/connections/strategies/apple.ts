import * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import { secret } from "./kinds.ts";
import { emailDomains, isAuthoritativeFor } from "./email-authority.ts";
import { cutText, objectIn, readClaims, scopeOf, textIn, withTexts, type UpstreamStrategy } from "./provider.ts";
import { upstream, upstreamBody } from "./upstream.ts";

const options = {
  ...upstream,
  scope: z.string().max(91_260),
  app_secret: secret,
  kid: z.string().max(1536).nullable(),
  team_id: z.string().max(256).nullable(),
};

/** Apple. */
export const apple: z.ZodType = upstreamBody(options);

/** Apple. A name comes once, beside the first code. It is what the person wrote, and signed by nobody: a name and nothing else is taken from there. */
export const appleProvider: UpstreamStrategy = {
  describe: (given) => ({
    place: { discover: "https://appleid.apple.com" },
    scope: scopeOf(given, ["openid"], ["name", "email"]),
    authentication: "apple",
    responseMode: "form_post",
    asksUserinfo: false,
    answered: "user",
    read: (told) => {
      const profile = readClaims(told, (email) => isAuthoritativeFor(email, emailDomains.apple));
      const { firstName: givenName, lastName: familyName } = namesIn(objectIn(objectIn(told, "user"), "name"));
      const name = [givenName, familyName].filter(Boolean).join(" ") || undefined;
      return profile && { ...profile, ...withTexts(profile, { name, givenName, familyName }) };
    },
  }),
};

function namesIn(name: JsonObject): { readonly firstName: string | undefined; readonly lastName: string | undefined } {
  const short = (member: string): string | undefined => {
    const text = textIn(name, member);
    return text === undefined ? undefined : cutText(text, 150);
  };
  return { firstName: short("firstName"), lastName: short("lastName") };
}
