import * as z from "zod";
import { Metadata } from "../../model/fields.ts";
import { GrantActionsResult } from "./action-result.ts";

/**
 * The state of a login's actions at the moment at which one of them redirected the user. This is a schema, because the
 * state is stored with the login as JSON.
 */
export const Redirected = z.object({
  /** The name of the action. */
  action: z.string(),
  /** The user who was redirected. */
  user_id: z.string(),
  to: z.string(),
  result: GrantActionsResult,
  app_metadata: Metadata,
  user_metadata: Metadata,
});

export type Redirected = z.infer<typeof Redirected>;
