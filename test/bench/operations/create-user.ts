import { json, type Facts, type Operation } from "../operation.ts";

const connection = "Username-Password-Authentication";

const request = ({ otherToken: token }: Facts, i: number) =>
  ({
    method: "POST",
    path: "/api/v2/users",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ connection, email: `new${i}@example.com`, given_name: "New", user_metadata: { number: i } }),
  }) as const;

/** Users have no password, because its hash would dominate the measurement. */
export const userCreation: Operation = {
  name: "create user",
  target: 2.5,
  maxRequests: 4000,
  requests: {
    bare: request,
    postern: request,
    "better-auth": ({ peer }, i) => ({
      method: "POST",
      path: "/api/auth/admin/create-user",
      headers: { ...json, cookie: peer?.["cookie"] ?? "", origin: peer?.["origin"] ?? "" },
      body: JSON.stringify({ email: `new${i}@example.com`, name: "New" }),
    }),
  },
  bare: ({ prepare, userColumns, newId, audit, toUser, allowed, send }) => {
    const names = userColumns.split(", ");
    const insert = prepare(
      `insert into postern_users (tenant_id, ${userColumns}) values (?, ${names.map(() => "?").join(", ")}) on conflict do nothing`,
    );
    return {
      route: "POST /api/v2/users",
      handle(request, response, text) {
        if (!allowed(request)) return send(response, 401, "{}");
        const { email, given_name, user_metadata } = JSON.parse(text) as {
          readonly email: string;
          readonly given_name: string;
          readonly user_metadata: object;
        };
        const now = Date.now();
        const row: { readonly [column: string]: string | number | null } = {
          user_id: `${connection}|${newId()}`,
          connection,
          provider: "auth0",
          linked_to: "",
          linked_count: 0,
          email,
          email_key: email.toLowerCase(),
          email_verified: 0,
          phone_verified: 0,
          name: email,
          nickname: email.slice(0, email.indexOf("@")),
          given_name,
          blocked: 0,
          app_metadata: "{}",
          user_metadata: JSON.stringify(user_metadata),
          last_login: 0,
          logins_count: 0,
          revision: 0,
          created_at: now,
          updated_at: now,
        };
        const { changes } = insert.run("es256", ...names.map((name) => row[name] ?? null));
        if (changes === 0) return send(response, 409, "{}");
        audit(request, { tenant_id: "es256", type: "sapi", client_id: "bench-manager-es256", audience: "", scope: "" });
        send(response, 201, JSON.stringify(toUser({ ...Object.fromEntries(names.map((name) => [name, null])), ...row })));
      },
    };
  },
};
