import { actionsWith } from "../../identity/actions/call-action.ts";
import { PosternError } from "../../errors.ts";
import type { GrantActionsResult } from "./action-result.ts";
import type { PostLogin } from "./post-login-event.ts";
import { runPostLogin } from "./post-login.ts";

/** User tokens that a client requests at the token endpoint. */
type GrantAsked = Omit<PostLogin, "user" | "session" | "request" | "sent"> & {
  readonly userId: string;
  readonly sessionId: string | undefined;
};

/**
 * Runs the host's post-login actions for tokens that a client requests at the token endpoint, without a browser. Reads
 * nothing if there are no actions.
 * @returns the decisions of the actions; undefined if there are no actions.
 * @throws {PosternError} as `runPostLogin` (`post-login.ts`).
 */
export async function grantActions({ userId, sessionId = "", ...asked }: GrantAsked): Promise<GrantActionsResult | undefined> {
  const { data } = asked.tenant;
  if (actionsWith(asked.tenant, "onExecutePostLogin").length === 0) return undefined;
  const [[user], [session]] = await Promise.all([
    data.users.find({ where: { user_id: userId }, limit: 1 }),
    sessionId === "" ? [] : data.sessions.find({ where: { id: sessionId }, limit: 1 }),
  ]);
  if (user === undefined) throw new PosternError("access_denied", "the user was removed meanwhile");
  const outcome = await runPostLogin({ ...asked, user, session });
  if (outcome.kind === "redirect") throw new Error("nobody is led elsewhere who is at no browser");
  return outcome.actions;
}
