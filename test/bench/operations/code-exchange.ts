import { form, type Facts, type Operation } from "../operation.ts";
import { createBareUser } from "../servers/bare-user.ts";
import { benchApp, codeText, benchVerifier } from "../visits.ts";

const request = ({ secret }: Facts, i: number) =>
  ({
    method: "POST",
    path: "/oauth/token",
    ...form({
      grant_type: "authorization_code",
      client_id: benchApp.clientId,
      client_secret: secret,
      code: codeText(i),
      code_verifier: benchVerifier,
      redirect_uri: benchApp.redirectUri,
    }),
  }) as const;

/**
 * Exchanges a code for an access token, an ID token and a refresh token: three reads, two writes, two signatures and
 * one audit event.
 */
export const codeExchange: Operation = {
  name: "code exchange",
  target: 1.35,
  maxRequests: 3000,
  requests: { bare: request, postern: request },
  bareGrant: (tools) => {
    const { prepare, hash, audit } = tools;
    const bareUser = createBareUser(tools);
    const find = prepare("select * from postern_authorization_codes where tenant_id = ? and code_hash = ?");
    const consume = prepare(
      "update postern_authorization_codes set consumed_at = ? where tenant_id = ? and code_hash = ? and consumed_at is null",
    );
    return {
      type: "authorization_code",
      async exchange(request, { code: text = "", code_verifier: givenVerifier = "", client_id: clientId, redirect_uri: redirectUri }) {
        const code = find.get("main", hash(text));
        if (code === undefined || code["consumed_at"] !== null || Number(code["expires_at"]) <= Date.now()) return undefined;
        if (code["client_id"] !== clientId || code["redirect_uri"] !== redirectUri || code["code_challenge"] !== hash(givenVerifier))
          return undefined;
        const user = bareUser.findActive(code["user_id"], code["session_id"]);
        if (user === undefined) return undefined;
        const refreshToken = bareUser.addRefreshToken(code, `rtf_${String(code["grant_id"])}`);
        if (consume.run(Date.now(), "main", String(code["code_hash"])).changes !== 1) return undefined;
        const tokens = await bareUser.tokens(user, code, { nonce: code["nonce"] });
        audit(request, { type: "seacft", client_id: benchApp.clientId, audience: "", scope: benchApp.scope });
        return { ...tokens, refresh_token: refreshToken.text };
      },
    };
  },
};
