import { actionsWith } from "../../identity/actions/call-action.ts";
import { PosternError } from "../../errors.ts";
import type { GrantActionsResult } from "./action-result.ts";
import type { PostLogin } from "./post-login-event.ts";
import { runPostLogin } from "./post-login.ts";

/** User tokens that a client requests at the token endpoint. */
type TokenRequest = Omit<PostLogin, "user" | "session" | "request" | "sent"> & {
  readonly userId: string;
  readonly sessionId: string | undefined;
};

/**
 * Runs the host's post-login actions for tokens that a client requests at the token endpoint, without a browser. Reads
 * nothing if there are no actions.
 * @returns the decisions of the actions; undefined if there are no actions.
 * @throws {PosternError} as `runPostLogin` (`post-login.ts`).
 */
export async function grantActions({ userId, sessionId = "", ...request }: TokenRequest): Promise<GrantActionsResult | undefined> {
  const { data } = request.tenant;
  if (actionsWith(request.tenant, "onExecutePostLogin").length === 0) return undefined;
  const [[user], [session]] = await Promise.all([
    data.users.find({ where: { user_id: userId }, limit: 1 }),
    sessionId === "" ? [] : data.sessions.find({ where: { id: sessionId }, limit: 1 }),
  ]);
  if (user === undefined) throw new PosternError("access_denied", "the user was deleted by another request");
  const outcome = await runPostLogin({ ...request, user, session });
  if (outcome.kind === "redirect") throw new Error("a redirect requires a browser");
  return outcome.actions;
}
