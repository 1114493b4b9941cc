import type { Row } from "../../../store/schema.ts";
import type { ActionResult } from "../../step.ts";
import { newPasswordProgress } from "./progress.ts";

/**
 * The result of an action if the account was changed after the code was redeemed: the user must request another code.
 */
export const requestAnotherCode: ActionResult = {
  leaves: [newPasswordProgress],
  change: (progress) => ({ ...progress, aim: "reset-password" }),
};

/** An account whose password may be set. */
export interface ResetAccount {
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
}
