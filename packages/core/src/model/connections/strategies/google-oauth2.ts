import * as z from "zod";
import { text } from "./kinds.ts";
import { upstream, upstreamBody } from "./upstream.ts";

const options = { ...upstream, allowed_audiences: z.array(text(1, 255)).min(1).max(64) };

/** Google. */
export const google: z.ZodType = upstreamBody(options);
