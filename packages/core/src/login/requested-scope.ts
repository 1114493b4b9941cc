import * as z from "zod";
import type { GrantDecision } from "../authorization/grant-decision.ts";

/** A scope that the client requests, as screens contain it. */
export const requestedScopeSchema = z.strictObject({
  value: z.string().meta({ description: "The scope as the client requested it" }),
  description: z.string().exactOptional().meta({ description: "The description of the scope for users, if the API has one" }),
});

/** A scope that the client requests. */
export type RequestedScope = z.infer<typeof requestedScopeSchema>;

/** Returns the scopes that a client will be granted, with their descriptions. */
export function toRequestedScopes({ scope, descriptions }: GrantDecision): RequestedScope[] {
  return scope.map((value) => {
    const description = descriptions[value];
    return { value, ...(description !== undefined && { description }) };
  });
}
