import * as z from "zod";
import { secret } from "./kinds.ts";
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
