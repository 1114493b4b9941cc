import { readClaims, scopeOf } from "./provider.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstreamLending, upstreamOptions } from "./upstream.ts";

/**
 * LinkedIn, by OpenID Connect. Its ID tokens have no nonce. It rejects the client secret of a token request that has a
 * code verifier.
 */
export const linkedin: IdentityProviderStrategy = {
  kind: "social",
  title: "LinkedIn",
  label: "LinkedIn",
  options: upstreamOptions,
  lending: upstreamLending,
  describe: (given) => ({
    place: { discover: "https://www.linkedin.com/oauth" },
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    authentication: "client_secret_post",
    nonce: false,
    pkce: false,
    read: (told) => readClaims(told),
  }),
};
