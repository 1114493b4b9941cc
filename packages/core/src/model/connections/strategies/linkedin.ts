import { readClaims, scopeOf } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamInheritance, upstreamOptions } from "./upstream.ts";

/**
 * LinkedIn, through OpenID Connect. Its ID tokens contain no nonce. Its token endpoint rejects a client secret if the
 * request also contains a code verifier.
 */
export const linkedin: IdentityProviderStrategy = {
  kind: "social",
  title: "LinkedIn",
  label: "LinkedIn",
  mark: {
    box: 24,
    paths: [
      [
        "#0A66C2",
        "M20.45 20.45h-3.55v-5.57c0-1.33-.03-3.04-1.85-3.04-1.85 0-2.14 1.45-2.14 2.94v5.67H9.35V9h3.41v1.56h.05c.48-.9 1.64-1.85 3.37-1.85 3.6 0 4.27 2.37 4.27 5.46v6.28zM5.34 7.43a2.06 2.06 0 1 1 0-4.13 2.06 2.06 0 0 1 0 4.13zm1.78 13.02H3.56V9h3.56v11.45zM22.23 0H1.77C.79 0 0 .77 0 1.73v20.54C0 23.23.79 24 1.77 24h20.45c.98 0 1.78-.77 1.78-1.73V1.73C24 .77 23.2 0 22.22 0z",
      ],
    ],
  },
  options: upstreamOptions,
  inheritance: upstreamInheritance,
  callback: queryCallback,
  describe: (given) => ({
    place: { discover: "https://www.linkedin.com/oauth" },
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    authentication: "client_secret_post",
    nonce: false,
    pkce: false,
    read: (claims) => readClaims(claims),
  }),
};
