import * as z from "zod";
import { metadataSchema } from "../../model/fields.ts";
import { grantActionsResultSchema } from "./action-result.ts";
import { storedDemandSchema } from "../../identity/factors/stored-demand.ts";
import { authenticationCommandsSchema } from "./factor-commands.ts";

/** The state of a login's actions at the moment at which one of them stopped the login. */
const stoppedActionsSchema = z.object({
  /** The name of the action. */
  action: z.string(),
  /** The user who signs in. */
  user_id: z.string(),
  result: grantActionsResultSchema,
  app_metadata: metadataSchema,
  user_metadata: metadataSchema,
  authentication: authenticationCommandsSchema.exactOptional(),
});

/**
 * The state of a login's actions at the moment at which one of them redirected the user. This is a schema, because the
 * state is stored with the login as JSON.
 */
export const redirectedSchema = stoppedActionsSchema.extend({ to: z.string() });

export type Redirected = z.infer<typeof redirectedSchema>;

/**
 * The state of a login's actions at the moment at which one of them required a factor. The actions after it run when the
 * user has passed the factor.
 */
export const demandedSchema = stoppedActionsSchema.extend({
  demands: z.array(storedDemandSchema).readonly(),
  /** Present if all actions have run. */
  isAtEnd: z.literal(true).exactOptional(),
});

export type Demanded = z.infer<typeof demandedSchema>;
