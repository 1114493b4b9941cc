import * as z from "zod";
import { Metadata } from "../../model/fields.ts";
import { GrantActionsResult } from "./action-result.ts";
import { StoredDemand } from "../../identity/factors/stored-demand.ts";
import { AuthenticationCommands } from "./factor-commands.ts";

/** The state of a login's actions at the moment at which one of them stopped the login. */
const StoppedActions = z.object({
  /** The name of the action. */
  action: z.string(),
  /** The user who signs in. */
  user_id: z.string(),
  result: GrantActionsResult,
  app_metadata: Metadata,
  user_metadata: Metadata,
  authentication: AuthenticationCommands.exactOptional(),
});

/**
 * The state of a login's actions at the moment at which one of them redirected the user. This is a schema, because the
 * state is stored with the login as JSON.
 */
export const Redirected = StoppedActions.extend({ to: z.string() });

export type Redirected = z.infer<typeof Redirected>;

/**
 * The state of a login's actions at the moment at which one of them required a factor. The actions after it run when the
 * user has passed the factor.
 */
export const Demanded = StoppedActions.extend({
  demands: z.array(StoredDemand).readonly(),
  /** Present if all actions have run. */
  isAtEnd: z.literal(true).exactOptional(),
});

export type Demanded = z.infer<typeof Demanded>;
