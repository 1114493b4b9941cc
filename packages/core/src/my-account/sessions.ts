import * as z from "zod";
import { PosternError } from "../errors.ts";
import { endOwnSession, findOwnSessions } from "../identity/sessions/own-sessions.ts";
import { timestampSchema, toTimestamp } from "../model/fields.ts";
import { deviceSchema, toDevice } from "../model/sessions/devices.ts";
import { meRoute } from "./me-route.ts";

const sessionSchema = z
  .strictObject({
    id: z.string(),
    current: z.boolean().meta({ description: "Whether it is the session of the token" }),
    created_at: timestampSchema,
    last_used_at: timestampSchema,
    device: deviceSchema,
  })
  .meta({ id: "MySession" });

const path = "/me/v1/sessions";
const rejected = { 401: { error: "invalid_token" }, 403: { error: "insufficient_scope" } } as const;

/** The routes for the user's sessions, an addition of Postern. */
export const mySessions = [
  meRoute({
    method: "GET",
    path,
    summary: "List the sessions of the user",
    scopes: ["read:me:sessions"],
    responses: { 200: z.strictObject({ sessions: z.array(sessionSchema) }), ...rejected },
  })(async (_, { tenant, mfaToken, sessionId }) => ({
    sessions: (await findOwnSessions(tenant, mfaToken.user.user_id)).map(({ session, usedAt }) => ({
      id: session.id,
      current: session.id === sessionId,
      created_at: toTimestamp(session.created_at),
      last_used_at: toTimestamp(usedAt),
      device: toDevice(session.device),
    })),
  })),
  meRoute({
    method: "DELETE",
    path: `${path}/:session_id`,
    summary: "End a session of the user",
    description: "Also revokes the refresh tokens of the session. Ending the session of the token ends the token.",
    scopes: ["delete:me:sessions"],
    responses: { 204: null, ...rejected, 404: { error: "not_found: the user has no such session" } },
  })(async ({ params }, { tenant, mfaToken }) => {
    if (!(await endOwnSession(tenant, mfaToken.user, params.session_id)))
      throw new PosternError("not_found", "The user has no such session.");
  }),
];
