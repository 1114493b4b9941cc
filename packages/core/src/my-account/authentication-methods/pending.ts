import { equalInConstantTime } from "../../adapters/digest.ts";
import { findFactor, isPendingFactor, type Factor } from "../../identity/factors/factors.ts";
import type { MeContext } from "../me-route.ts";
import { noSuchMethod } from "./read.ts";

/**
 * Returns the `auth_session` of a method that the user is adding: a keyed hash, so that only the session that added the
 * method can confirm it.
 * @param id the id of the unconfirmed factor, or a random text for a method that is stored when it is confirmed.
 */
export async function authSessionOf({ tenant, sessionId }: MeContext, id: string): Promise<string> {
  return `${id}:${await tenant.secrets.fingerprints.of("new authentication method", tenant.id, sessionId, id)}`;
}

/** Returns the text that an `auth_session` was created for. @throws {PosternError} `not_found` if it is of another session. */
export async function readAuthSession(context: MeContext, text: string): Promise<string> {
  const [id = ""] = text.split(":");
  if (!equalInConstantTime(text, await authSessionOf(context, id))) throw noSuchMethod();
  return id;
}

/** Returns the unconfirmed factor that the user is adding. @throws {PosternError} `not_found`. */
export async function requirePending(context: MeContext, id: string, authSession: string): Promise<Factor> {
  const { tenant, mfaToken } = context;
  if ((await readAuthSession(context, authSession)) !== id) throw noSuchMethod();
  const factor = await findFactor(tenant.data, mfaToken.user.user_id, id);
  if (factor === undefined || !isPendingFactor(tenant, factor)) throw noSuchMethod();
  return factor;
}
