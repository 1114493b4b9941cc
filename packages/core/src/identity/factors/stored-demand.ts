import * as z from "zod";
import { FactorType } from "../../model/factors/factor-types.ts";
import type { FactorDemand } from "./factor-policy.ts";

/** A factor that an Action requires. This is a schema, because demands are stored as JSON. */
export const StoredDemand = z.object({
  action: z.enum(["challenge", "enrol", "either"]),
  types: z.array(FactorType).readonly().exactOptional(),
  allowsTrustedBrowser: z.boolean(),
}) satisfies z.ZodType<FactorDemand>;
