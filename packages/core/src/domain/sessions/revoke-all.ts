import type { TenantData } from "../../data/tenant-data.ts";
import type { Environment } from "../environment.ts";
import { revokeSession } from "./session.ts";

/** Sessions looked at in one statement. */
const chunk = 500;

/** Ends every session of a user, each with its refresh tokens. Repeatable: a crash leaves the rest to be found again. */
export async function revokeSessionsOfUser(environment: Environment, data: TenantData, userId: string): Promise<void> {
  for (;;) {
    const sessions = await data.sessions.find({ where: { user_id: userId, revoked_at: null }, limit: chunk });
    for (const { id } of sessions) await revokeSession(environment, data, id);
    if (sessions.length < chunk) return;
  }
}
