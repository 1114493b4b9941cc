import * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import { secret } from "./kinds.ts";
import { emailDomains, isAuthoritativeFor } from "./email-authority.ts";
import { cutText, objectIn, readClaims, scopeOf, textIn, withTexts } from "./provider.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = {
  ...upstream,
  scope: z.string().max(91_260),
  app_secret: secret,
  kid: z.string().max(1536).nullable(),
  team_id: z.string().max(256).nullable(),
};

/**
 * Apple. The name comes once, next to the first code. The user typed it and it is not signed, so that only the name is
 * read from there.
 */
export const apple: IdentityProviderStrategy = {
  kind: "social",
  title: "Apple",
  label: "Apple",
  options: upstreamBody(options),
  lending: upstreamLending,
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
