import { randomBytes } from "node:crypto";
import { benchApp } from "../visits.ts";
import type { BareTools, Columns } from "./bare-tools.ts";

/** The shared parts of `bare`'s grants for users: the unavoidable statements and signatures. */
interface BareUser {
  /**
   * Returns the user that a code or a token belongs to. `undefined` if the user is missing or blocked, or the session
   * is missing or revoked.
   */
  findActive(userId: unknown, sessionId: unknown): Columns | undefined;
  /** Stores a new refresh token for the same grant. @returns the text and the id of the token. */
  addRefreshToken(grant: Columns, family: string): { readonly text: string; readonly id: string };
  /** Signs an access token and an ID token in parallel. */
  tokens(user: Columns, grant: Columns, more: { readonly gty?: string; readonly nonce?: unknown }): Promise<object>;
}

const day = 86_400_000;

/** Creates a {@link BareUser}. */
export function createBareUser({ facts, prepare, hash, newId, sign }: BareTools): BareUser {
  const userOf = prepare(
    "select user_id, name, nickname, picture, given_name, family_name, username, updated_at, email, email_verified, blocked " +
      "from postern_users where tenant_id = ? and user_id = ? and deleting_at is null",
  );
  const sessionOf = prepare("select revoked_at from postern_sessions where tenant_id = ? and id = ?");
  const insert = prepare(
    "insert into postern_refresh_tokens (tenant_id, id, token_hash, family_id, grant_id, session_id, client_id, user_id, organization_id, audience, " +
      "scope, claims, device, refresh_token_metadata, rotated_at, rotated_to, presented_at, recovered_at, revoked_at, idle_expires_at, expires_at, " +
      "last_exchanged_at, auth_time, created_at, purge_at) " +
      "values (?, ?, ?, ?, ?, ?, ?, ?, null, null, ?, '{}', ?, '{}', null, null, null, null, null, ?, ?, null, ?, ?, ?) on conflict do nothing",
  );
  const device = JSON.stringify({ initial: { ip: "127.0.0.1", user_agent: "bench" }, last: { ip: "127.0.0.1", user_agent: "bench" } });

  return {
    findActive(userId, sessionId) {
      const user = userOf.get("main", String(userId));
      const session = sessionOf.get("main", String(sessionId));
      if (user === undefined || user["blocked"] === 1 || session === undefined || session["revoked_at"] !== null) return undefined;
      return user;
    },
    addRefreshToken(grant, family) {
      const now = Date.now();
      const [id, text] = [`rt_${newId()}`, randomBytes(48).toString("base64url")];
      const of = (column: string): string => String(grant[column]);
      const grantValues = [of("grant_id"), of("session_id"), benchApp.clientId, of("user_id"), of("scope"), device];
      insert.run(
        "main",
        id,
        hash(text),
        family,
        ...grantValues,
        now + 15 * day,
        now + 30 * day,
        Number(grant["auth_time"]),
        now,
        now + 37 * day,
      );
      return { text, id };
    },
    async tokens(user, grant, { gty, nonce }) {
      const iat = Math.floor(Date.now() / 1000);
      const scope = benchApp.scope;
      const authTime = Math.floor(Number(grant["auth_time"]) / 1000);
      const issued = { iss: facts.issuer, iat, exp: iat + 86_400, auth_time: authTime };
      const [access, idToken] = await Promise.all([
        sign("RS256", {
          ...issued,
          sub: user["user_id"],
          aud: `${facts.issuer}userinfo`,
          scope,
          azp: benchApp.clientId,
          ...(gty !== undefined && { gty }),
          tenant_id: "main",
          sid: grant["session_id"],
          grant_id: grant["grant_id"],
        }),
        sign("RS256", {
          ...issued,
          exp: iat + 36_000,
          aud: benchApp.clientId,
          ...userClaims(user),
          amr: ["pwd"],
          sid: grant["session_id"],
          ...(nonce !== undefined && { nonce }),
          tenant_id: "main",
        }),
      ]);
      return { access_token: access, token_type: "Bearer", expires_in: 86_400, id_token: idToken, scope };
    },
  };
}

/** Returns the claims of the scopes `profile` and `email`. */
export function userClaims(user: Columns): object {
  return {
    sub: user["user_id"],
    name: user["name"],
    nickname: user["nickname"],
    ...(user["picture"] !== null && { picture: user["picture"] }),
    given_name: user["given_name"],
    family_name: user["family_name"],
    ...(user["username"] !== null && { preferred_username: user["username"] }),
    updated_at: Math.floor(Number(user["updated_at"]) / 1000),
    email: user["email"],
    email_verified: user["email_verified"] === 1,
  };
}
