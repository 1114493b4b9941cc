import * as z from "zod";
import type { JsonObject } from "../store/value.ts";
import { GrantActionsResult } from "./actions/action-result.ts";
import { RequestedClaims } from "./requested-claims.ts";

/** The parts of the authorization request that are stored with a code, in addition to the columns of the code. */
const CodeRequest = z.object({
  claims: RequestedClaims,
  /** Whether the request named the organization by its name. */
  organization_by_name: z.boolean().exactOptional(),
  /** The decisions of the host's actions. */
  actions: GrantActionsResult.exactOptional(),
});

type CodeRequest = z.infer<typeof CodeRequest>;

/** Parses a stored {@link CodeRequest}. */
export function readCodeRequest(stored: JsonObject): CodeRequest {
  return CodeRequest.parse(stored);
}
