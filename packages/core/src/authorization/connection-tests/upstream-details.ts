import * as z from "zod";
import type { UpstreamDetails } from "../../identity/providers/upstream-error.ts";

/** The schema of {@link UpstreamDetails}. */
export const upstreamDetailsSchema = z.strictObject({
  step: z.enum(["discovery", "authorization request", "authorization response", "token", "id_token", "jwks", "userinfo"]),
  url: z.string().exactOptional(),
  status: z.number().exactOptional(),
  error: z.string().exactOptional(),
  error_description: z.string().exactOptional(),
  claim: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  received: z.string().exactOptional(),
  clock_difference: z.number().exactOptional(),
}) satisfies z.ZodType<UpstreamDetails>;
