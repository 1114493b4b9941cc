import { form, type Facts, type Operation, type ConnectionState } from "../operation.ts";
import { createBareUser } from "../servers/bare-user.ts";
import { benchApp, refreshTokenText } from "../visits.ts";

/**
 * Creates a refresh request. Each connection acts as a separate client and uses the last refresh token that it
 * received.
 */
const request = ({ secret }: Facts, _i: number, { connection, answer }: ConnectionState) =>
  ({
    method: "POST",
    path: "/oauth/token",
    ...form({
      grant_type: "refresh_token",
      client_id: benchApp.clientId,
      client_secret: secret,
      refresh_token: answer === undefined ? refreshTokenText(connection) : tokenIn(answer),
    }),
  }) as const;

/** The same at oidc-provider, which announced its refresh tokens. */
const requestAtOidcProvider = ({ secret, peer }: Facts, _i: number, { connection, answer }: ConnectionState) =>
  ({
    method: "POST",
    path: "/token",
    ...form({
      grant_type: "refresh_token",
      client_id: benchApp.clientId,
      client_secret: secret,
      refresh_token: answer === undefined ? (peer?.["refreshTokens"]?.split(" ")[connection] ?? "") : tokenIn(answer),
      resource: "https://rs256.example/",
    }),
  }) as const;

/** The same at Better Auth, which also announced its client. */
const requestAtBetterAuth = ({ peer }: Facts, _i: number, { connection, answer }: ConnectionState) =>
  ({
    method: "POST",
    path: "/api/auth/oauth2/token",
    ...form({
      grant_type: "refresh_token",
      client_id: peer?.["appId"] ?? "",
      client_secret: peer?.["appSecret"] ?? "",
      refresh_token: answer === undefined ? (peer?.["refreshTokens"]?.split(" ")[connection] ?? "") : tokenIn(answer),
    }),
  }) as const;

/** Better Auth sends its JSON in a chunk, with the length of the chunk in front. */
function tokenIn(answer: string): string {
  return /"refresh_token":"([^"]+)"/.exec(answer)?.[1] ?? "";
}

/**
 * Exchanges a refresh token for its successor and two JWTs: three reads, two writes, two signatures and one audit
 * event.
 */
export const tokenRefresh: Operation = {
  name: "refresh, rotating",
  target: 1.35,
  requests: { bare: request, postern: request, "oidc-provider": requestAtOidcProvider, "better-auth": requestAtBetterAuth },
  bareGrant: (tools) => {
    const { prepare, hash, audit } = tools;
    const bareUser = createBareUser(tools);
    const find = prepare("select * from postern_refresh_tokens where tenant_id = ? and token_hash = ?");
    const rotate = prepare(
      "update postern_refresh_tokens set rotated_at = ?, rotated_to = ?, presented_at = ?, last_exchanged_at = ? " +
        "where tenant_id = ? and id = ? and rotated_at is null and revoked_at is null",
    );
    return {
      type: "refresh_token",
      async exchange(request, { refresh_token: text = "" }) {
        const token = find.get("main", hash(text));
        if (token === undefined || token["rotated_at"] !== null || Number(token["expires_at"]) <= Date.now()) return undefined;
        const user = bareUser.findActive(token["user_id"], token["session_id"]);
        if (user === undefined) return undefined;
        const successor = bareUser.addRefreshToken(token, String(token["family_id"]));
        const now = Date.now();
        if (rotate.run(now, successor.id, now, now, "main", String(token["id"])).changes !== 1) return undefined;
        const tokens = await bareUser.tokens(user, token, { gty: "refresh_token" });
        audit(request, { type: "sertft", client_id: benchApp.clientId, audience: "", scope: benchApp.scope });
        return { ...tokens, refresh_token: successor.text };
      },
    };
  },
};
