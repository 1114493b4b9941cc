import type { Facts, Operation } from "../operation.ts";
import { createBareUser, userClaims } from "../servers/bare-user.ts";

const get = (path: string, token = "") => ({ method: "GET", path, headers: { authorization: `Bearer ${token}` } }) as const;
const request = ({ userToken }: Facts) => get("/userinfo", userToken);

/**
 * All requests use the same token, so Postern verifies its signature only once. Postern checks the user, the session
 * and the grant for each request.
 */
export const userinfoRequest: Operation = {
  name: "userinfo",
  target: 2,
  constant: true,
  requests: {
    bare: request,
    postern: request,
    "oidc-provider": ({ peer }) => get("/me", peer?.["accessToken"]),
    "better-auth": ({ peer }) => get("/api/auth/oauth2/userinfo", peer?.["accessToken"]),
  },
  bare: (tools) => {
    const { facts, prepare, send } = tools;
    const bareUser = createBareUser(tools);
    const revoked = prepare("select count(*) as n from postern_revoked_grants where tenant_id = ? and grant_id = ?");
    const [, payload = ""] = facts.userToken.split(".");
    // Created by `prepare.ts`.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { readonly [name: string]: string };
    return {
      route: "GET /userinfo",
      handle(request, response) {
        if (request.headers.authorization !== `Bearer ${facts.userToken}`) return send(response, 401, "{}");
        const user = bareUser.findActive(claims["sub"], claims["sid"]);
        if (user === undefined || revoked.get("main", claims["grant_id"] ?? "")?.["n"] !== 0) return send(response, 401, "{}");
        send(response, 200, JSON.stringify(userClaims(user)));
      },
    };
  },
};
