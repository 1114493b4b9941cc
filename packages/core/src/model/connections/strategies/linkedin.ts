import { readClaims, scopeOf, type UpstreamStrategy } from "./provider.ts";

/** LinkedIn, by OpenID Connect. Its ID tokens carry no nonce, and it refuses the secret of whoever sends a code verifier besides. */
export const linkedinProvider: UpstreamStrategy = {
  describe: (given) => ({
    place: { discover: "https://www.linkedin.com/oauth" },
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    authentication: "client_secret_post",
    nonce: false,
    pkce: false,
    read: (told) => readClaims(told),
  }),
};
