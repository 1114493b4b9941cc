import * as z from "zod";
import { upstream, upstreamBody } from "./upstream.ts";

const options = { ...upstream, strategy_version: z.int().min(1).max(2), signin: z.literal(true) };

/** Personal accounts of Microsoft. */
export const windowslive: z.ZodType = upstreamBody(options);
