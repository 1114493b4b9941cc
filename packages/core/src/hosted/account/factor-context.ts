import type { FactorContext } from "../../login/factors/context.ts";
import type { AccountVisit } from "./visit.ts";

/** Returns the context in which a signed-in user passes or adds factors. The page belongs to no client. */
export function factorContext({ tenant, user, session, factors, situation: { first } }: AccountVisit): FactorContext {
  return { tenant, user, client: undefined, first, factors, boundTo: session.id };
}
