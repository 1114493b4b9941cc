import * as z from "zod";
import { WebUrlOrEmpty } from "../../clients/registered-urls.ts";
import { flag, httpsUrlOrEmpty, stringMap } from "./kinds.ts";
import type { Lending } from "./lending.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = {
  ...upstream,
  authorizationURL: WebUrlOrEmpty,
  tokenURL: WebUrlOrEmpty,
  logoutUrl: httpsUrlOrEmpty,
  authParams: stringMap,
  authParamsMap: stringMap,
  customHeaders: stringMap,
  fieldsMap: stringMap,
  pkce_enabled: flag,
  scripts: z.looseObject({
    fetchUserProfile: z.string().max(51_200).exactOptional(),
    getLogoutUrl: z.string().max(51_200).exactOptional(),
  }),
  useOauthSpecScope: flag,
};

/** Any provider of OAuth 2.0 that tells who somebody is. */
export const oauth2: z.ZodType = upstreamBody(options);

/** What of its options falls back. */
export const oauth2Lending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "fieldsMap"],
};
