import type { Facts, Operation } from "../operation.ts";
import { barePerson, personClaims } from "../servers/bare-person.ts";

const ask = ({ personToken }: Facts) =>
  ({ method: "GET", path: "/userinfo", headers: { authorization: `Bearer ${personToken}` } }) as const;

/** One token, again and again: its signature is checked once. The person, the session and the grant are looked at each time. */
export const userinfo: Operation = {
  name: "userinfo",
  target: 2,
  constant: true,
  asks: { bare: ask, postern: ask },
  bare: (tools) => {
    const { facts, prepare, send } = tools;
    const person = barePerson(tools);
    const revoked = prepare("select count(*) as n from postern_revoked_grants where tenant_id = ? and grant_id = ?");
    const [, payload = ""] = facts.personToken.split(".");
    // Made by `prepare.ts`.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { readonly [name: string]: string };
    return {
      route: "GET /userinfo",
      handle(request, response) {
        if (request.headers.authorization !== `Bearer ${facts.personToken}`) return send(response, 401, "{}");
        const user = person.live(claims["sub"], claims["sid"]);
        if (user === undefined || revoked.get("main", claims["grant_id"] ?? "")?.["n"] !== 0) return send(response, 401, "{}");
        send(response, 200, JSON.stringify(personClaims(user)));
      },
    };
  },
};
