import * as z from "zod";
import { storedOnlyFields } from "../../settings.ts";
import type { Lending } from "./lending.ts";
import { readClaims, scopeOf, type UpstreamStrategy } from "./provider.ts";
import { consumersDirectory } from "./waad.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = { ...upstream, ...storedOnlyFields({ strategy_version: z.int().min(1).max(2), signin: z.literal(true) }) };

/** Personal accounts of Microsoft. */
export const windowslive: z.ZodType = upstreamBody(options);

/** What of its options falls back. */
export const windowsliveLending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "strategy_version"],
};

/** Personal accounts of Microsoft. What it says of addresses is what the person said. */
export const windowsliveProvider: UpstreamStrategy = {
  describe: (given) => ({
    place: { discover: `https://login.microsoftonline.com/${consumersDirectory}/v2.0` },
    scope: scopeOf(given, ["openid"], ["profile", "email"]),
    authentication: "client_secret_post",
    asksUserinfo: false,
    read: (told) => {
      const profile = readClaims(told);
      return profile && { ...profile, emailVerified: false };
    },
  }),
};
