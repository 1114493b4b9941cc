import { objectIn, scopeOf, textIn, withTexts } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamInheritance, upstreamOptions } from "./upstream.ts";

const graph = "https://graph.facebook.com/v23.0";

/** Facebook. The provider does not return whether an email address is verified. */
export const facebook: IdentityProviderStrategy = {
  kind: "social",
  title: "Facebook",
  label: "Facebook",
  mark: {
    box: 24,
    paths: [
      [
        "#1877F2",
        "M24 12.07C24 5.44 18.63.07 12 .07S0 5.44 0 12.07c0 5.99 4.39 10.96 10.13 11.86v-8.39H7.08v-3.47h3.05V9.43c0-3.01 1.79-4.67 4.53-4.67 1.31 0 2.69.24 2.69.24v2.95h-1.52c-1.49 0-1.96.93-1.96 1.87v2.25h3.33l-.53 3.47h-2.8v8.39C19.61 23.03 24 18.06 24 12.07z",
      ],
    ],
  },
  options: upstreamOptions,
  inheritance: upstreamInheritance,
  callback: queryCallback,
  describe: (given) => ({
    place: {
      issuer: "https://www.facebook.com",
      authorizationEndpoint: "https://www.facebook.com/v23.0/dialog/oauth",
      tokenEndpoint: `${graph}/oauth/access_token`,
      userinfoEndpoint: `${graph}/me?fields=id,name,first_name,last_name,email,picture`,
    },
    scope: scopeOf(given, ["public_profile"], ["email"]),
    authentication: "client_secret_post",
    read: (claims) => {
      const subject = textIn(claims, "id");
      if (subject === undefined) return undefined;
      const texts = {
        email: textIn(claims, "email"),
        name: textIn(claims, "name"),
        givenName: textIn(claims, "first_name"),
        familyName: textIn(claims, "last_name"),
        picture: textIn(objectIn(objectIn(claims, "picture"), "data"), "url"),
      };
      return withTexts({ subject, emailVerified: false, emailOwned: false }, texts);
    },
  }),
};
