import * as z from "zod";
import { storedOnlyFields } from "../../settings.ts";
import { readClaims, scopeOf } from "./provider.ts";
import { microsoftMark } from "./microsoft-mark.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { consumersDirectory } from "./waad.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

const options = { ...upstream, ...storedOnlyFields({ strategy_version: z.int().min(1).max(2), signin: z.literal(true) }) };

/**
 * Personal Microsoft accounts. Users enter their email addresses themselves, so the addresses never count as verified.
 */
export const windowslive: IdentityProviderStrategy = {
  kind: "social",
  title: "personal Microsoft accounts",
  label: "Microsoft",
  mark: microsoftMark,
  options: upstreamBody(options),
  inheritance: { ...upstreamInheritance, preferences: [...upstreamInheritance.preferences, "strategy_version"] },
  callback: queryCallback,
  describe: (given) => ({
    place: { discover: `https://login.microsoftonline.com/${consumersDirectory}/v2.0` },
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    authentication: "client_secret_post",
    fetchesUserinfo: false,
    read: (claims) => {
      const profile = readClaims(claims);
      return profile && { ...profile, emailVerified: false };
    },
  }),
};
