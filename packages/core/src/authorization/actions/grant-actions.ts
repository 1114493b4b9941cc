import { actionsWith } from "../../identity/actions/call-action.ts";
import { PosternError } from "../../errors.ts";
import type { GrantActionsResult } from "./action-result.ts";
import type { PostLogin } from "./post-login-event.ts";
import { runPostLogin } from "./post-login.ts";

/** Tokens that a client is to get for a person at the token endpoint. */
type GrantAsked = Omit<PostLogin, "user" | "session" | "request" | "sent"> & {
  readonly userId: string;
  readonly sessionId: string | undefined;
};

/**
 * Asks the host's actions about tokens that a client gets at the token endpoint, where nobody is at a browser. Where there are none, nothing is read.
 * @returns what they decided; undefined where there are none.
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
