import * as z from "zod";
import type { Lending } from "./lending.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = { ...upstream, strategy_version: z.int().min(1).max(2), signin: z.literal(true) };

/** Personal accounts of Microsoft. */
export const windowslive: z.ZodType = upstreamBody(options);

/** What of its options falls back. */
export const windowsliveLending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "strategy_version"],
};
