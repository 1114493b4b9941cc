import type { Row } from "../../data/schema.ts";
import { beginAfterAnswer } from "../request-info.ts";
import { actionConnection, actionRequest, actionUser } from "./action-user.ts";
import { actionsWith, callAction, type ActionPlace } from "./call-action.ts";

/** Tells the host's actions, when the answer is on its way, that the password of an account was set. */
export function passwordChanged(place: ActionPlace, connection: Row<"connections">, account: Row<"users">): void {
  const trigger = "onExecutePostChangePassword";
  for (const one of actionsWith(place.environment, trigger)) {
    const event = {
      secrets: one.action.secrets ?? {},
      tenant: { id: place.id },
      request: actionRequest(place.requestInfo),
      connection: actionConnection(connection),
      user: actionUser(account),
    };
    // What failed is told to the operator by then.
    beginAfterAnswer(place.requestInfo, () => callAction(place, trigger, one, async () => one.action[trigger]?.(event)).catch(() => {}));
  }
}
