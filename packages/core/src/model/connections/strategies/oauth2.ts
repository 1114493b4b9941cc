import * as z from "zod";
import { webUrlOrEmptySchema } from "../../clients/registered-urls.ts";
import { flagKind, httpsUrlOrEmpty, stringMap } from "./kinds.ts";
import { storedOnlyFields } from "../../settings.ts";
import { readClaims, scopeOf, textIn } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

const options = {
  ...upstream,
  authorizationURL: webUrlOrEmptySchema,
  tokenURL: webUrlOrEmptySchema,
  /** The URL that returns the user's profile for an access token. A Postern extension; Auth0 runs a script instead. */
  userinfo_endpoint: webUrlOrEmptySchema,
  authParams: stringMap,
  fieldsMap: stringMap,
  pkce_enabled: flagKind,
  ...storedOnlyFields({
    logoutUrl: httpsUrlOrEmpty,
    authParamsMap: stringMap,
    customHeaders: stringMap,
    scripts: z.looseObject({
      fetchUserProfile: z.string().max(51_200).exactOptional(),
      getLogoutUrl: z.string().max(51_200).exactOptional(),
    }),
    useOauthSpecScope: flagKind,
  }),
};

/** The names that `fieldsMap` uses for claims, if they differ from Postern's names. */
const claimNames: { readonly [ours: string]: string } = { user_id: "sub" };

/**
 * Any OAuth 2.0 provider that returns the user's profile at a URL. `fieldsMap` maps claims to the names that the
 * provider uses: `{ "user_id": "id" }`.
 */
export const oauth2: IdentityProviderStrategy = {
  kind: "social",
  title: "an OAuth 2.0 provider",
  label: "OAuth 2.0",
  options: upstreamBody(options),
  inheritance: { ...upstreamInheritance, preferences: [...upstreamInheritance.preferences, "fieldsMap"] },
  // The endpoints that receive secrets and access tokens.
  destination: ["authorizationURL", "tokenURL", "userinfo_endpoint"],
  callback: queryCallback,
  describe: (given) => {
    const [authorizationEndpoint, tokenEndpoint, userinfoEndpoint] = [
      textIn(given, "authorizationURL"),
      textIn(given, "tokenURL"),
      textIn(given, "userinfo_endpoint"),
    ];
    const known = authorizationEndpoint !== undefined && tokenEndpoint !== undefined && userinfoEndpoint !== undefined;
    const { fieldsMap, authParams } = given;
    return {
      place: known ? { issuer: new URL(authorizationEndpoint).origin, authorizationEndpoint, tokenEndpoint, userinfoEndpoint } : undefined,
      scope: scopeOf(given, []),
      idToken: false,
      authentication: "client_secret_post",
      pkce: given["pkce_enabled"] === true,
      parameters: stringMap.safeParse(authParams).data ?? {},
      read: (claims) => {
        const fields = Object.entries(stringMap.safeParse(fieldsMap).data ?? {});
        const mapped = fields.flatMap(([ours, theirs]) =>
          Object.hasOwn(claims, theirs) ? [[claimNames[ours] ?? ours, claims[theirs] ?? null]] : [],
        );
        const sub = claims["sub"] ?? claims["user_id"] ?? claims["id"] ?? null;
        return readClaims({ ...claims, sub, ...Object.fromEntries(mapped) });
      },
    };
  },
};
