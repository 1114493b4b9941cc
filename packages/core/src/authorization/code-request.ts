import * as z from "zod";
import type { JsonObject } from "../store/value.ts";
import { GrantActionsResult } from "./actions/action-result.ts";
import { RequestedClaims } from "./requested-claims.ts";

/** What a code keeps of its request besides its columns. */
const CodeRequest = z.object({
  claims: RequestedClaims,
  /** The organization was asked for by its name. */
  organization_by_name: z.boolean().exactOptional(),
  /** What the host's actions decided. */
  actions: GrantActionsResult.exactOptional(),
});

export type CodeRequest = z.infer<typeof CodeRequest>;

/** Reads what {@link CodeRequest} wrote. */
export function readCodeRequest(stored: JsonObject): CodeRequest {
  return CodeRequest.parse(stored);
}
