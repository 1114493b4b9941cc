import * as z from "zod";
import { secret } from "./kinds.ts";
import { domainOf, readClaims, scopeOf, type UpstreamStrategy } from "./provider.ts";
import { upstream, upstreamBody } from "./upstream.ts";

const options = {
  ...upstream,
  scope: z.string().max(91_260),
  app_secret: secret,
  kid: z.string().max(1536).nullable(),
  team_id: z.string().max(256).nullable(),
};

/** Apple. */
export const apple: z.ZodType = upstreamBody(options);

const ownDomains = ["icloud.com", "me.com", "mac.com", "privaterelay.appleid.com"];

/** Apple. A name comes once, beside the first code, and by a form alone. */
export const appleProvider: UpstreamStrategy = {
  label: "Apple",
  kind: "social",
  describe: (given) => ({
    place: { discover: "https://appleid.apple.com" },
    scope: scopeOf(given, ["openid"], ["name", "email"]),
    authentication: "apple",
    responseMode: "form_post",
    asksUserinfo: false,
    read: (told) => readClaims(told, (email) => ownDomains.includes(domainOf(email))),
  }),
};
