import * as z from "zod";
import { Proof } from "./proof.ts";

/** How far an interaction came. Kept as JSON in the login session. */
export const Progress = z.object({
  /** What the person typed to say who they are. */
  identifier: z.string().exactOptional(),
  /** The proofs that the person gave here, oldest first. */
  proofs: z.array(Proof),
  /** At the account chooser: the account to go on with; '' for another one. */
  chosen: z.string().exactOptional(),
  /** Where an account could be made: they have one. */
  has_account: z.boolean().exactOptional(),
  /** The organization that they chose. */
  organization_id: z.string().exactOptional(),
  /** The account that accepts the invitation. */
  joined_by: z.string().exactOptional(),
  /** The account that agreed to what the client asks for. */
  consented_by: z.string().exactOptional(),
  /** The person said no: what the client is told of it, however often it asks for its answer. */
  declined: z.string().exactOptional(),
  /** Why a step is shown again. Stays until the next action, so that a reload repeats nothing. */
  problem: z
    .object({
      step: z.string(),
      name: z.string(),
      /** The rules that a new password which was tried does not keep to. */
      unkept: z.array(z.string()).readonly().exactOptional(),
    })
    .exactOptional(),
  /** Milliseconds since 1970: when the client was answered. */
  answered_at: z.number().exactOptional(),
});

export type Progress = z.infer<typeof Progress>;

/** Nothing happened yet. */
export const noProgress: Progress = { proofs: [] };
