import * as z from "zod";
import { WebUrlOrEmpty } from "../../clients/registered-urls.ts";
import { flag, httpsUrlOrEmpty, stringMap } from "./kinds.ts";
import type { Lending } from "./lending.ts";
import type { Destination } from "../../secret-destinations.ts";
import { storedOnlyFields } from "../../settings.ts";
import { readClaims, scopeOf, textIn, type UpstreamStrategy } from "./provider.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = {
  ...upstream,
  authorizationURL: WebUrlOrEmpty,
  tokenURL: WebUrlOrEmpty,
  /** Asked with the access token: who it is. Ours; the vendor runs a script there. */
  userinfo_endpoint: WebUrlOrEmpty,
  authParams: stringMap,
  fieldsMap: stringMap,
  pkce_enabled: flag,
  ...storedOnlyFields({
    logoutUrl: httpsUrlOrEmpty,
    authParamsMap: stringMap,
    customHeaders: stringMap,
    scripts: z.looseObject({
      fetchUserProfile: z.string().max(51_200).exactOptional(),
      getLogoutUrl: z.string().max(51_200).exactOptional(),
    }),
    useOauthSpecScope: flag,
  }),
};

/** Any provider of OAuth 2.0 that tells who somebody is. */
export const oauth2: z.ZodType = upstreamBody(options);

/** Where secrets and access tokens are sent. */
export const oauth2Destination = ["authorizationURL", "tokenURL", "userinfo_endpoint"] as const satisfies Destination;

/** What of its options falls back. */
export const oauth2Lending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "fieldsMap"],
};

/** The names of our claims in `fieldsMap`, besides those that are alike. */
const claimNames: { readonly [ours: string]: string } = { user_id: "sub" };

/** Any provider of OAuth 2.0 that tells at an address who somebody is. `fieldsMap` says what its fields are called: `{ "user_id": "id" }`. */
export const oauth2Provider: UpstreamStrategy = {
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
      read: (told) => {
        const fields = Object.entries(stringMap.safeParse(fieldsMap).data ?? {});
        const mapped = fields.flatMap(([ours, theirs]) =>
          Object.hasOwn(told, theirs) ? [[claimNames[ours] ?? ours, told[theirs] ?? null]] : [],
        );
        return readClaims({ sub: told["user_id"] ?? told["id"] ?? null, ...told, ...Object.fromEntries(mapped) });
      },
    };
  },
};
