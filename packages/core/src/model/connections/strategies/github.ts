import { isObject, type Json, type JsonObject } from "../../../store/value.ts";
import { scopeOf, textIn, withTexts } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamInheritance, upstreamOptions } from "./upstream.ts";

/**
 * GitHub. The email addresses are fetched with a separate request: the profile contains an address only if the user
 * publishes it, and does not contain whether the address is verified.
 */
export const github: IdentityProviderStrategy = {
  kind: "social",
  title: "GitHub",
  label: "GitHub",
  mark: {
    box: 24,
    paths: [
      [
        "currentColor",
        "M12 .3a12 12 0 0 0-3.8 23.4c.6.1.8-.3.8-.6v-2c-3.3.7-4-1.6-4-1.6-.6-1.4-1.4-1.8-1.4-1.8-1-.7.1-.7.1-.7 1.2 0 1.9 1.2 1.9 1.2 1 1.8 2.8 1.3 3.5 1 0-.8.4-1.3.7-1.6-2.7-.3-5.5-1.3-5.5-6 0-1.2.5-2.3 1.3-3.1-.2-.4-.6-1.6 0-3.2 0 0 1-.3 3.4 1.2a11.5 11.5 0 0 1 6 0c2.3-1.5 3.3-1.2 3.3-1.2.6 1.6.2 2.8 0 3.2.9.8 1.3 1.9 1.3 3.2 0 4.6-2.8 5.6-5.5 5.9.5.4.9 1 .9 2.2v3.3c0 .3.1.7.8.6A12 12 0 0 0 12 .3",
      ],
    ],
  },
  options: upstreamOptions,
  inheritance: upstreamInheritance,
  callback: queryCallback,
  describe: (given) => ({
    place: {
      issuer: "https://github.com/login/oauth",
      authorizationEndpoint: "https://github.com/login/oauth/authorize",
      tokenEndpoint: "https://github.com/login/oauth/access_token",
      userinfoEndpoint: "https://api.github.com/user",
    },
    scope: scopeOf(given, ["read:user", "user:email"]),
    authentication: "client_secret_post",
    furtherUrls: { emails: "https://api.github.com/user/emails" },
    read: (claims) => {
      const subject = textIn(claims, "id");
      if (subject === undefined) return undefined;
      const primary = addresses(claims["emails"]).find((address) => address["primary"] === true);
      const email = primary && textIn(primary, "email");
      return withTexts(
        { subject, emailVerified: email !== undefined && primary?.["verified"] === true, emailOwned: false },
        {
          email,
          name: textIn(claims, "name") ?? textIn(claims, "login"),
          nickname: textIn(claims, "login"),
          picture: textIn(claims, "avatar_url"),
        },
      );
    },
  }),
};

function addresses(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
