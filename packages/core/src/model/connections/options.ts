import type * as z from "zod";
import { storedOnly } from "../settings.ts";
import { upstreamOptions } from "./strategies/upstream.ts";
import { strategyNamed } from "./upstream.ts";

/** The options of a strategy that Postern does not know. */
export const unknownOptions: z.ZodType = storedOnly(upstreamOptions);

/** Returns the schema of the options in a request body for a strategy. */
export function optionsBody(strategy: string): z.ZodType {
  return strategyNamed(strategy)?.options ?? unknownOptions;
}
