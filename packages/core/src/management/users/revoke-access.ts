import { detachRefreshTokens, revokeSessionsOfUser } from "../../identity/sessions/revoke-all.ts";
import { revokeSession } from "../../identity/sessions/session.ts";
import { invalidBody } from "../../model/settings.ts";
import { revokeAccessSchema } from "../../model/sessions/revoke-access.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { revokeTokens } from "../../tokens/refresh-tokens/revoke-all.ts";
import { findUserAccount } from "./find-user.ts";

/** The route that ends all access of a user, or that of one session. */
export const revokeAccessRoutes = [
  route({
    method: "POST",
    path: "/api/v2/users/:id/revoke-access",
    operation: "users.revokeAccess",
    summary: "Revoke the sessions and refresh tokens of a user",
    description:
      "With `session_id`, only that session and its refresh tokens. With `preserve_refresh_tokens`, refresh tokens stay valid without a session. Can be repeated.",
    scopes: ["delete:sessions", "delete:refresh_tokens"],
    body: revokeAccessSchema,
    responses: { 202: null, 404: "inexistent_user" },
  })(async ({ params, body }, { tenant }) => {
    const { user_id: userId } = await findUserAccount(tenant, params.id);
    const { session_id: sessionId, preserve_refresh_tokens: preserves = false } = body;
    if (sessionId !== undefined && (await tenant.data.sessions.count({ id: sessionId, user_id: userId })) === 0)
      throw invalidBody("'session_id' must be the id of a session of the user");
    if (preserves) await detachRefreshTokens(tenant, userId, sessionId);
    if (sessionId !== undefined) {
      await revokeSession(tenant, sessionId, "session-revoked");
      return;
    }
    if (!preserves) await revokeTokens(tenant, { user_id: userId });
    await revokeSessionsOfUser(tenant, userId, "session-revoked");
  }),
];
