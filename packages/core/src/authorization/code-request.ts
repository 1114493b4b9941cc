import * as z from "zod";
import type { JsonObject } from "../store/value.ts";
import { grantActionsResultSchema } from "./actions/action-result.ts";
import { requestedClaimsSchema } from "./requested-claims.ts";

/** The parts of the authorization request that are stored with a code, in addition to the columns of the code. */
const codeRequestSchema = z.object({
  claims: requestedClaimsSchema,
  /** Whether the request named the organization by its name. */
  organization_by_name: z.boolean().exactOptional(),
  /** The thumbprint of the key that the exchange must prove (RFC 9449 section 10). */
  dpop_jkt: z.string().exactOptional(),
  /** The decisions of the host's actions. */
  actions: grantActionsResultSchema.exactOptional(),
});

type CodeRequest = z.infer<typeof codeRequestSchema>;

/** Parses a stored {@link CodeRequest}. */
export function readCodeRequest(stored: JsonObject): CodeRequest {
  return codeRequestSchema.parse(stored);
}
