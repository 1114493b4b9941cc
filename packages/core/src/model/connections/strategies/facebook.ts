import { objectIn, scopeOf, textIn, withTexts } from "./provider.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamLending, upstreamOptions } from "./upstream.ts";

const graph = "https://graph.facebook.com/v23.0";

/** Facebook. It does not say whether an address was verified. */
export const facebook: IdentityProviderStrategy = {
  kind: "social",
  title: "Facebook",
  label: "Facebook",
  options: upstreamOptions,
  lending: upstreamLending,
  describe: (given) => ({
    place: {
      issuer: "https://www.facebook.com",
      authorizationEndpoint: "https://www.facebook.com/v23.0/dialog/oauth",
      tokenEndpoint: `${graph}/oauth/access_token`,
      userinfoEndpoint: `${graph}/me?fields=id,name,first_name,last_name,email,picture`,
    },
    scope: scopeOf(given, ["public_profile"], ["email"]),
    authentication: "client_secret_post",
    read: (told) => {
      const subject = textIn(told, "id");
      if (subject === undefined) return undefined;
      const texts = {
        email: textIn(told, "email"),
        name: textIn(told, "name"),
        givenName: textIn(told, "first_name"),
        familyName: textIn(told, "last_name"),
        picture: textIn(objectIn(objectIn(told, "picture"), "data"), "url"),
      };
      return withTexts({ subject, emailVerified: false, emailOwned: false }, texts);
    },
  }),
};
