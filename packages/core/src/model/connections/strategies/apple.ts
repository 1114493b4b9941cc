import * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import { secretKind } from "./kinds.ts";
import { isAuthoritativeFor } from "./email-authority.ts";
import { cutText, objectIn, readClaims, scopeOf, textIn, withTexts } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

const options = {
  ...upstream,
  scope: z.string().max(91_260),
  app_secret: secretKind,
  kid: z.string().max(1536),
  team_id: z.string().max(256),
};

/** The domains of the email addresses that Apple issues. */
const emailDomains = ["icloud.com", "me.com", "mac.com", "privaterelay.appleid.com"];

/**
 * Apple. The provider sends the user's name only once, with the first code, in a form parameter. The user enters the
 * name, and the parameter is not signed, so only the name is read from it.
 */
export const apple: IdentityProviderStrategy = {
  kind: "social",
  title: "Apple",
  label: "Apple",
  mark: {
    box: 24,
    paths: [
      [
        "currentColor",
        "M12.15 6.9c-.95 0-2.41-1.08-3.96-1.04-2.04.03-3.91 1.18-4.96 3.01-2.12 3.68-.55 9.1 1.52 12.09 1.01 1.45 2.21 3.09 3.79 3.04 1.52-.07 2.09-.99 3.94-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.68-1.48 3.68-2.95 1.16-1.69 1.64-3.32 1.66-3.41-.04-.01-3.18-1.22-3.22-4.86-.03-3.04 2.48-4.49 2.6-4.56-1.43-2.09-3.62-2.32-4.39-2.37-2-.16-3.68 1.09-4.62 1.09zM15.53 3.83c.84-1.01 1.4-2.43 1.25-3.83-1.21.05-2.66.81-3.53 1.82-.78.9-1.46 2.34-1.28 3.71 1.34.1 2.72-.69 3.56-1.7",
      ],
    ],
  },
  options: upstreamBody(options),
  inheritance: upstreamInheritance,
  callback: { ...queryCallback, method: "POST", parameters: { ...queryCallback.parameters, user: 2000 } },
  describe: (given) => ({
    place: { discover: "https://appleid.apple.com" },
    scope: scopeOf(given, ["openid"], ["name", "email"]),
    authentication: (require) => ({
      algorithm: "ES256",
      issuer: require("options", "team_id"),
      audience: "https://appleid.apple.com",
      keyId: require("options", "kid"),
      privateKey: require("secrets", "app_secret"),
    }),
    fetchesUserinfo: false,
    callbackObject: "user",
    read: (claims) => {
      const profile = readClaims(claims, (email) => isAuthoritativeFor(email, emailDomains));
      const { firstName: givenName, lastName: familyName } = namesIn(objectIn(objectIn(claims, "user"), "name"));
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
