import type { Facts, Operation } from "../operation.ts";

/** Returns another user for each request, spread over the table. */
const pick = (ids: readonly string[], i: number): string => encodeURIComponent(ids[(i * 7919) % ids.length] ?? "");

const request = ({ token, userIds }: Facts, i: number) =>
  ({ method: "GET", path: `/api/v2/users/${pick(userIds, i)}`, headers: { authorization: `Bearer ${token}` } }) as const;

export const userById: Operation = {
  name: "user by id",
  target: 2,
  requests: {
    bare: request,
    postern: request,
    "better-auth": ({ peer, userIds }, i) => ({
      method: "GET",
      path: `/api/auth/admin/get-user?id=${pick(userIds, i)}`,
      headers: { cookie: peer?.["cookie"] ?? "" },
    }),
  },
  bare: ({ prepare, userColumns, toUser, allowed, send }) => {
    const find = prepare(`select ${userColumns} from postern_users where tenant_id = ? and user_id = ? and deleting_at is null`);
    return {
      route: "GET /api/v2/users/",
      handle(request, response) {
        if (!allowed(request)) return send(response, 401, "{}");
        const row = find.get("main", decodeURIComponent((request.url ?? "").slice("/api/v2/users/".length)));
        if (row === undefined) return send(response, 404, "{}");
        send(response, 200, JSON.stringify(toUser(row)));
      },
    };
  },
};
