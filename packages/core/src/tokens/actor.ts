import * as z from "zod";

/** The number of clients that can act for a user one after another, as in Auth0. */
export const maximumActors = 5;

const actorClaimSchema = z.object({
  sub: z.string(),
  get act() {
    return actorClaimSchema.exactOptional();
  },
});

/**
 * The claim `act` (RFC 8693 section 4.1): `sub` is the `client_id` of the client that acts for the user, and `act` is the
 * client that acted before it.
 */
export type ActorClaim = z.infer<typeof actorClaimSchema>;

/** Returns the claim `act` of a token that Postern issued; undefined if no client acts. */
export function readActor(claim: unknown): ActorClaim | undefined {
  return claim === undefined ? undefined : actorClaimSchema.parse(claim);
}

/** Returns the number of clients in the claim `act`. */
export function countActors(actor: ActorClaim | undefined): number {
  return actor === undefined ? 0 : 1 + countActors(actor.act);
}
