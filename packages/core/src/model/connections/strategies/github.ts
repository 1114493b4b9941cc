import { isObject, scopeOf, textIn, withTexts, type UpstreamStrategy } from "./provider.ts";
import type { Json, JsonObject } from "../../../store/value.ts";

/** GitHub. Its addresses are asked for besides the profile, which shows one only where the person says so, and never whether it was verified. */
export const githubProvider: UpstreamStrategy = {
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
