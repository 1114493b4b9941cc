import { createHash } from "node:crypto";
import type { DataAdapter, StoredRow } from "@postern/core/adapter";
import { perRound } from "./operation.ts";

/** The app that users sign in to. */
export const benchApp = {
  clientId: "bench-web",
  redirectUri: "https://app.example/callback",
  scope: "openid profile email offline_access",
} as const;

/** The number of users with a session. */
const userCount = 500;

/** The text of the `i`th code and of the `i`th refresh token, and the PKCE verifier for every code. */
export const codeText = (i: number): string => `code-${String(i).padStart(12, "0")}-of-the-benchmark`;
export const refreshTokenText = (i: number): string => `refresh-token-${String(i).padStart(12, "0")}-of-the-benchmark`;
export const benchVerifier = "a-verifier-that-is-long-enough-for-rfc-7636";

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url");
/** The PKCE challenge for every code (RFC 7636). */
export const benchChallenge = hash(benchVerifier);

/** The parameters of the authorization request of a login. */
export const benchAuthorization = {
  client_id: benchApp.clientId,
  redirect_uri: benchApp.redirectUri,
  response_type: "code",
  scope: benchApp.scope,
  state: "a-state",
  nonce: "a-nonce",
  code_challenge: benchChallenge,
  code_challenge_method: "S256",
} as const;

const day = 86_400_000;
const device = { ip: "192.0.2.7", user_agent: "bench" };

/** Inserts sessions, codes and refresh tokens directly into the database, because real logins would take minutes. */
export async function fillWithVisits(data: DataAdapter, tenantId: string, userIds: readonly string[], rounds: number): Promise<void> {
  const now = Date.now();
  const where = { tenant_id: tenantId, name: "Username-Password-Authentication" };
  const [connection] = await data.collections.connections.find({ where, limit: 1 });
  const visits = Array.from({ length: userCount }, (_, i) => ({ id: `sess_bench${i}`, userId: userIds[i * 17] ?? "" }));
  await insertAll(
    data.collections.sessions,
    visits.map(({ id, userId }): StoredRow<"sessions"> => ({
      tenant_id: tenantId,
      id,
      user_id: userId,
      account_id: userId,
      connection_id: connection?.id ?? "",
      issuer: "https://login.example.com/",
      cookie_hash: hash(id),
      clients: [benchApp.clientId],
      authentication: { methods: [{ name: "pwd", timestamp: now }] },
      device: { initial: device, last: device },
      session_metadata: {},
      authenticated_at: now,
      last_interacted_at: now,
      idle_expires_at: now + day,
      expires_at: now + day,
      revoked_at: null,
      logout_initiator: null,
      logout_at: now + day,
      revision: 0,
      created_at: now,
      updated_at: now,
      purge_at: now + day,
    })),
  );
  const common = (i: number) => {
    const visit = visits[i % visits.length];
    return {
      tenant_id: tenantId,
      client_id: benchApp.clientId,
      user_id: visit?.userId ?? "",
      session_id: visit?.id ?? "",
      organization_id: null,
      audience: null,
      scope: benchApp.scope.split(" "),
      auth_time: now,
      created_at: now,
      expires_at: now + day,
    };
  };
  await insertAll(
    data.collections.authorization_codes,
    Array.from({ length: rounds * perRound.requests + 2 }, (_, i): StoredRow<"authorization_codes"> => ({
      ...common(i),
      code_hash: hash(codeText(i)),
      grant_id: `grt_code${i}`,
      redirect_uri: benchApp.redirectUri,
      code_challenge: benchChallenge,
      nonce: "a-nonce",
      request: { claims: { userinfo: [], idToken: [] } },
      consumed_at: null,
    })),
  );
  await insertAll(
    data.collections.refresh_tokens,
    Array.from({ length: rounds * perRound.connections + 1 }, (_, i): StoredRow<"refresh_tokens"> => ({
      ...common(i),
      id: `rt_bench${i}`,
      token_hash: hash(refreshTokenText(i)),
      family_id: `rtf_bench${i}`,
      grant_id: `grt_token${i}`,
      claims: { userinfo: [], idToken: [] },
      device: { initial: device, last: device },
      jkt: null,
      refresh_token_metadata: {},
      rotated_at: null,
      rotated_to: null,
      presented_at: null,
      reissued_at: null,
      recovered_at: null,
      revoked_at: null,
      idle_expires_at: now + day,
      last_exchanged_at: null,
      purge_at: now + 8 * day,
    })),
  );
}

/** Inserts several rows per statement. One statement per row would take longer than the benchmark itself. */
async function insertAll<Row>(collection: { insert(rows: readonly Row[]): Promise<boolean> }, rows: readonly Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 32) {
    if (!(await collection.insert(rows.slice(start, start + 32)))) throw new Error("a row already exists");
  }
}
