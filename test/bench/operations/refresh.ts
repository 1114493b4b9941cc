import { form, type Facts, type Operation, type Turn } from "../operation.ts";
import { barePerson } from "../servers/bare-person.ts";
import { app, refreshTokenText } from "../visits.ts";

/** Each connection is a client of its own: it goes on with the token that it got last. */
const ask = ({ secret }: Facts, _i: number, { connection, answer }: Turn) =>
  ({
    method: "POST",
    path: "/oauth/token",
    ...form({
      grant_type: "refresh_token",
      client_id: app.clientId,
      client_secret: secret,
      refresh_token: answer === undefined ? refreshTokenText(connection) : tokenIn(answer),
    }),
  }) as const;

function tokenIn(answer: string): string {
  const { refresh_token: token = "" } = JSON.parse(answer) as { readonly refresh_token?: string };
  return token;
}

/** A refresh token for its successor and two JWTs: three reads, two writes, two signatures and one audit row. */
export const refresh: Operation = {
  name: "refresh, rotating",
  target: 1.35,
  asks: { bare: ask, postern: ask },
  bareGrant: (tools) => {
    const { prepare, hash, audit } = tools;
    const person = barePerson(tools);
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
        const user = person.live(token["user_id"], token["session_id"]);
        if (user === undefined) return undefined;
        const successor = person.addRefreshToken(token, String(token["family_id"]));
        const now = Date.now();
        if (rotate.run(now, successor.id, now, now, "main", String(token["id"])).changes !== 1) return undefined;
        const tokens = await person.tokens(user, token, { gty: "refresh_token" });
        audit(request, { type: "sertft", client_id: app.clientId, audience: "", scope: app.scope });
        return { ...tokens, refresh_token: successor.text };
      },
    };
  },
};
