import * as z from "zod";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import type { FactorDemand } from "./factor-policy.ts";

/** A factor that an Action requires. This is a schema, because demands are stored as JSON. */
export const storedDemandSchema = z.object({
  action: z.enum(["challenge", "enroll", "either"]),
  types: z.array(factorTypeSchema).readonly().exactOptional(),
  allowsTrustedBrowser: z.boolean(),
  isOptional: z.literal(true).exactOptional(),
}) satisfies z.ZodType<FactorDemand>;
