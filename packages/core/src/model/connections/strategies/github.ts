import type { Json, JsonObject } from "../../../store/value.ts";
import { isObject, scopeOf, textIn, withTexts } from "./provider.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamLending, upstreamOptions } from "./upstream.ts";

/**
 * GitHub. The addresses come from a request of their own: the profile has an address only if the user publishes it, and
 * does not say whether it was verified.
 */
export const github: IdentityProviderStrategy = {
  kind: "social",
  title: "GitHub",
  label: "GitHub",
  options: upstreamOptions,
  lending: upstreamLending,
  describe: (given) => ({
    place: {
      issuer: "https://github.com/login/oauth",
      authorizationEndpoint: "https://github.com/login/oauth/authorize",
      tokenEndpoint: "https://github.com/login/oauth/access_token",
      userinfoEndpoint: "https://api.github.com/user",
    },
    scope: scopeOf(given, ["read:user", "user:email"]),
    authentication: "client_secret_post",
    more: { emails: "https://api.github.com/user/emails" },
    read: (told) => {
      const subject = textIn(told, "id");
      if (subject === undefined) return undefined;
      const primary = addresses(told["emails"]).find((address) => address["primary"] === true);
      const email = primary && textIn(primary, "email");
      return withTexts(
        { subject, emailVerified: email !== undefined && primary?.["verified"] === true, emailOwned: false },
        {
          email,
          name: textIn(told, "name") ?? textIn(told, "login"),
          nickname: textIn(told, "login"),
          picture: textIn(told, "avatar_url"),
        },
      );
    },
  }),
};

function addresses(told: Json | undefined): readonly JsonObject[] {
  return Array.isArray(told) ? told.filter(isObject) : [];
}
