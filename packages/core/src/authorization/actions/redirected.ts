import * as z from "zod";
import { Metadata } from "../../model/fields.ts";
import { GrantActionsResult } from "./action-result.ts";

/** How far the actions of a login came that led the person elsewhere. It is kept with the login as JSON, so it is a schema. */
export const Redirected = z.object({
  /** The name of the action. */
  action: z.string(),
  /** Whom it led elsewhere. */
  user_id: z.string(),
  to: z.string(),
  result: GrantActionsResult,
  app_metadata: Metadata,
  user_metadata: Metadata,
});

export type Redirected = z.infer<typeof Redirected>;
