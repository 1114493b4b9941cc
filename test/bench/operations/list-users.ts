import type { Facts, Operation } from "../operation.ts";

const bearer = ({ token }: Facts) => ({ authorization: `Bearer ${token}` });

const path = "/api/v2/users?per_page=50";

export const listUsers: Operation = {
  name: "list 50 of 10,000 users",
  target: 1.8,
  constant: true,
  requests: {
    bare: (facts) => ({ method: "GET", path, headers: bearer(facts) }),
    postern: (facts) => ({ method: "GET", path, headers: bearer(facts) }),
  },
  bare: ({ prepare, userColumns, toUser, allowed, send }) => {
    const where = "tenant_id = ? and linked_to = '' and deleting_at is null";
    const find = prepare(`select ${userColumns} from postern_users where ${where} order by created_at, user_id limit 50`);
    const count = prepare(`select count(*) as n from postern_users where ${where}`);
    return {
      route: "GET /api/v2/users",
      handle(request, response) {
        if (!allowed(request)) return send(response, 401, "{}");
        const users = find.all("main").map(toUser);
        if (request.url?.endsWith("include_totals=true") !== true) return send(response, 200, JSON.stringify(users));
        const total = count.get("main")?.["n"];
        send(response, 200, JSON.stringify({ users, start: 0, limit: 50, length: users.length, total }));
      },
    };
  },
};

export const listUsersWithTotals: Operation = {
  name: "list 50 of 10,000 users, with totals",
  target: 1.8,
  constant: true,
  requests: {
    bare: (facts) => ({ method: "GET", path: `${path}&include_totals=true`, headers: bearer(facts) }),
    postern: (facts) => ({ method: "GET", path: `${path}&include_totals=true`, headers: bearer(facts) }),
    "better-auth": ({ peer }) => ({
      method: "GET",
      path: "/api/auth/admin/list-users?limit=50&sortBy=createdAt",
      headers: { cookie: peer?.["cookie"] ?? "" },
    }),
  },
};
