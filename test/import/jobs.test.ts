import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { auditEvents, expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { login, openService, tokens } from "../support/flow.ts";
import { managementAudience } from "../support/postern.ts";
import { insertLinked } from "../support/rows.ts";
import { fakeHasher } from "../support/flow.ts";

describe("jobs for users", async () => {
  const service = await openService();
  const { manage, ada } = service;
  const [database] = list(await manage("GET", "/api/v2/connections?strategy=auth0"));
  const connectionId = String(database?.["id"]);

  function form(parts: { readonly [name: string]: string | Blob }): FormData {
    const data = new FormData();
    for (const [name, part] of Object.entries(parts)) data.append(name, part);
    return data;
  }

  async function send(data: FormData, token?: string) {
    const encoded = new Response(data);
    const request = new Request(`${service.postern.issuer}api/v2/jobs/users-imports`, {
      method: "POST",
      headers: { authorization: `Bearer ${token ?? (await service.token())}`, "content-type": encoded.headers.get("content-type") ?? "" },
      body: await encoded.arrayBuffer(),
    });
    const response = await service.postern.fetch(request);
    const body: unknown = await response.json();
    return { status: response.status, headers: response.headers, body };
  }

  const file = (users: unknown): Blob =>
    new Blob([typeof users === "string" ? users : JSON.stringify(users)], { type: "application/json" });
  const importing = (users: unknown, more: { readonly [name: string]: string } = {}) =>
    send(form({ users: file(users), connection_id: connectionId, ...more }));

  test("users are imported from a file, and sign in with their former passwords", async () => {
    const job = jsonBody(
      await importing(
        [
          {
            email: "cy@example.test",
            email_verified: true,
            user_id: "auth0|65f0c0ffee",
            given_name: "Cy",
            app_metadata: { plan: "gold" },
            user_metadata: { lang: "de" },
            password_hash: await fakeHasher.hash("correct horse battery"),
          },
          { email: "dee@example.test", user_id: "dee" },
        ],
        { external_id: "batch-7", send_completion_email: "false" },
      ),
      202,
    );
    expect(job).toMatchObject({
      type: "users_import",
      status: "completed",
      connection_id: connectionId,
      external_id: "batch-7",
      percentage_done: 100,
      summary: { total: 2, inserted: 2, updated: 0, failed: 0 },
    });
    const cy = jsonBody(await manage("GET", "/api/v2/users/auth0|65f0c0ffee"));
    expect(cy).toMatchObject({
      email: "cy@example.test",
      email_verified: true,
      app_metadata: { plan: "gold" },
      user_metadata: { lang: "de" },
    });
    jsonBody(await manage("GET", "/api/v2/users/Username-Password-Authentication|dee"));
    await login(service.browser(), service.web, {
      email: "cy@example.test",
      password: "correct horse battery",
      userId: stringMember(cy, "user_id"),
    });
    expect(jsonBody(await manage("GET", `/api/v2/jobs/${stringMember(job, "id")}`))).toEqual(job);
    expect(await manage("GET", `/api/v2/jobs/${stringMember(job, "id")}/errors`)).toMatchObject({ status: 204 });
    expect(await auditEvents(manage, "sui")).toHaveLength(1);
  });

  test("an invalid user does not affect the others, and is reported without the hash", async () => {
    const job = jsonBody(
      await importing([
        { email: "eve@example.test" },
        { email: "not an address", password_hash: "$2b$10$secretsecretsecretsecretsecretsecretsecretsecretsecre" },
        { email: "fay@example.test", password_hash: "md5:secret" },
        { email: "gus@example.test", mfa_factors: [] },
        { email: ada.email, custom_password_hash: { algorithm: "md4", hash: { value: "secret" } } },
        { email: ada.email },
        { email: "eve@example.test" },
        "text",
        null,
        { email: "hal@example.test" },
      ]),
      202,
    );
    expect(job).toMatchObject({ summary: { total: 10, inserted: 2, updated: 0, failed: 8 } });
    const errors = list(await manage("GET", `/api/v2/jobs/${stringMember(job, "id")}/errors`));
    expect(errors.map(({ errors: [first] = [] }: { errors?: readonly { code: string }[] }) => first?.code)).toEqual([
      "INVALID_FORMAT",
      "UNSUPPORTED_HASH",
      "INVALID_FORMAT",
      "INVALID_FORMAT",
      "INVALID_FORMAT",
      "INVALID_FORMAT",
      "DUPLICATED_USER",
      "DUPLICATED_USER",
    ]);
    expect(errors[0]).toMatchObject({ user: { email: "not an address" }, errors: [{ path: "email" }] });
    expect(JSON.stringify(errors)).not.toContain("secret");
    const stored = JSON.stringify(list(await manage("GET", "/api/v2/logs?per_page=100&sort=date:-1")));
    expect(stored).not.toContain("secretsecret");
    expect(stored).toContain("users-imports");
  });

  test("upsert updates the profile of a user, and not the password", async () => {
    await importing([{ email: "ida@example.test", user_id: "ida", app_metadata: { a: 1 } }]);
    const repeated = {
      email: "ida@example.test",
      name: "Ida",
      app_metadata: { b: 2 },
      email_verified: true,
      password_hash: await fakeHasher.hash("taken over"),
    };
    expect(jsonBody(await importing([repeated], { upsert: "true" }), 202)).toMatchObject({ summary: { updated: 1, failed: 0 } });
    const ida = jsonBody(await manage("GET", "/api/v2/users/Username-Password-Authentication|ida"));
    expect(ida).toMatchObject({ name: "Ida", app_metadata: { a: 1, b: 2 }, email_verified: true });
    const rows = await service.data.collections.passwords.find({
      where: { tenant_id: "main", user_id: stringMember(ida, "user_id") },
      limit: 5,
    });
    expect(rows).toEqual([]);
    // An imported user that matches two existing users fails and changes neither.
    expect(jsonBody(await importing([{ email: ada.email, user_id: "ida" }], { upsert: "true" }), 202)).toMatchObject({
      summary: { failed: 1 },
    });
  });

  test("an import by a caller who may create but not update users changes no existing users", async () => {
    const made = await manage.create("/api/v2/clients", {
      name: "Importer",
      app_type: "non_interactive",
      grant_types: ["client_credentials"],
    });
    const grant = { client_id: stringMember(made, "client_id"), audience: managementAudience, scope: ["create:users"] };
    await manage.create("/api/v2/client-grants", grant);
    const requested = {
      grant_type: "client_credentials",
      client_id: stringMember(made, "client_id"),
      client_secret: stringMember(made, "client_secret"),
      audience: managementAudience,
    };
    const { access } = tokens(await service.exchange(requested));
    const users = file([{ email: ada.email, app_metadata: { admin: true } }]);
    expectError(
      await send(form({ users, connection_id: connectionId, upsert: "true" }), access),
      403,
      "insufficient_scope",
      "update:users",
    );
    expect(jsonBody(await send(form({ users, connection_id: connectionId }), access), 202)).toMatchObject({ summary: { failed: 1 } });
    expect(jsonBody(await manage("GET", `/api/v2/users/${ada.userId}`))["app_metadata"]).toEqual({});
  });

  test("rejects an invalid import, and imports nothing", async () => {
    const users = file([{ email: "unknown@example.test" }]);
    expectError(await send(form({ users, connection_id: "con_none" })), 400, "invalid_request", "is not a connection");
    expectError(await send(form({ users })), 400, "invalid_request", "connection_id");
    expectError(await send(form({ connection_id: connectionId })), 400, "invalid_request", "users");
    expectError(await importing("[{"), 400, "invalid_request", "'users' is not valid JSON");
    expectError(await importing({ email: "x" }), 400, "invalid_request", "users");
    expectError(await importing([], { unknown: "x" }), 400, "invalid_request", "unknown");
    expectError(await importing([], { upsert: "maybe" }), 400, "invalid_request", "upsert");
    expectError(await importing(`[${" ".repeat(1024 * 1024)}]`), 413, "payload_too_large");
    const text = await service.call("POST", "/api/v2/jobs/users-imports", {
      token: await service.token(),
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: "--y",
    });
    expectError(text, 400, "invalid_request", "not a valid form");
    const provider = await manage.create("/api/v2/connections", { name: "google-oauth2", strategy: "google-oauth2", options: {} });
    expectError(await send(form({ users, connection_id: String(provider["id"]) })), 400, "invalid_request", "identity provider");
    expect(list(await manage("GET", "/api/v2/users?q=email:unknown@example.test"))).toEqual([]);
  });

  test("creates each user once for parallel imports of one file", async () => {
    const users = Array.from({ length: 120 }, (_, n) => ({ email: `race-${n}@example.test` }));
    const jobs = await Promise.all(Array.from({ length: 4 }, async () => jsonBody(await importing(users), 202)));
    const inserted = jobs.map(({ summary }) => (summary as { inserted: number }).inserted).reduce((a, b) => a + b);
    expect(inserted).toBe(120);
    expect(list(await manage("GET", "/api/v2/users?q=email:race-*&per_page=100"))).toHaveLength(100);
  });

  async function fetchExport(requested: object, from = service): Promise<string> {
    const job = jsonBody(await from.manage("POST", "/api/v2/jobs/users-exports", requested));
    expect(job).not.toHaveProperty("location");
    const { location } = jsonBody(await from.manage("GET", `/api/v2/jobs/${stringMember(job, "id")}`));
    const response = await from.postern.fetch(new Request(String(location)));
    expect(response).toMatchObject({ status: 200 });
    expect(response.headers.get("content-type")).toBe("application/gzip");
    return gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
  }

  test("an export contains every primary user once, with linked accounts inside", async () => {
    await insertLinked(service, ada.userId, { user_id: "email|linked", connection: "email", provider: "email" });
    const lines = (await fetchExport({ format: "json" }))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { user_id: string });
    const { total } = jsonBody(await manage("GET", "/api/v2/users?include_totals=true&per_page=1"));
    expect(lines).toHaveLength(Number(total));
    expect(new Set(lines.map(({ user_id: id }) => id)).size).toBe(lines.length);
    expect(lines.find(({ user_id: id }) => id === ada.userId)).toEqual(jsonBody(await manage("GET", `/api/v2/users/${ada.userId}`)));
  });

  test("an export is imported into another tenant, and exported from there with the same users", async () => {
    await importing([
      {
        email: "kim@example.test",
        email_verified: true,
        user_id: "auth0|65f0c0ffee01",
        blocked: true,
        username: "kim",
        app_metadata: { plan: "gold" },
        user_metadata: { lang: "de" },
      },
    ]);
    const other = await openService();
    const connection = "Username-Password-Authentication";
    const linesOf = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line): JsonBody => JSON.parse(line));
    const lines = linesOf(await fetchExport({ format: "json", connection_id: connectionId }));
    const users = lines.filter(({ identities }) => Array.isArray(identities) && identities.length === 1);
    const known = linesOf(await fetchExport({ format: "json" }, other)).map(({ user_id: id }) => id);
    for (const id of known) expect(await other.manage("DELETE", `/api/v2/users/${String(id)}`)).toMatchObject({ status: 204 });

    const rejected: unknown[] = [];
    const counts = await other.postern.importUsers("main", users, { connection, onRejected: (_, faults) => void rejected.push(faults) });
    expect(rejected).toEqual([]);
    expect(counts).toMatchObject({ total: users.length, inserted: users.length, failed: 0, ignored: expect.any(Number) });
    const repeated = linesOf(await fetchExport({ format: "json" }, other));
    const history = new Set(["created_at", "updated_at", "last_login", "last_ip", "last_password_reset", "logins_count"]);
    const byId = (rows: readonly JsonBody[]) =>
      rows
        .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !history.has(name))))
        .toSorted((a, b) => (String(a["user_id"]) < String(b["user_id"]) ? -1 : 1));
    expect(byId(repeated)).toEqual(byId(users));
    expect(repeated).toContainEqual(expect.objectContaining({ email: "kim@example.test", blocked: true, email_verified: true }));
    // The export states that the address is verified. It does not prove that the owner of the address has the account.
    const [kim] = await other.data.collections.users.find({ where: { tenant_id: "main", user_id: "auth0|65f0c0ffee01" }, limit: 1 });
    expect(kim).toMatchObject({ email_proof: "administrator", password_id: null });
  });

  test("members of Auth0's export that have no effect are ignored and counted, and members that decide access fail the user", async () => {
    const connection = "Username-Password-Authentication";
    const exported = (name: string, more: object = {}) => ({
      user_id: `auth0|${name}`,
      email: `${name}@export.example.test`,
      email_verified: true,
      name,
      nickname: name,
      picture: "https://s.gravatar.com/avatar/0.png",
      identities: [{ connection, provider: "auth0", user_id: name, isSocial: false }],
      created_at: "2024-03-12T20:10:11.111Z",
      updated_at: "2024-04-12T20:10:11.111Z",
      last_login: "2024-04-12T20:10:11.111Z",
      last_ip: "192.0.2.1",
      logins_count: 7,
      blocked: false,
      ...more,
    });
    const own = { connection, provider: "auth0", isSocial: false };
    const google = { connection: "google-oauth2", provider: "google-oauth2", user_id: "1101", isSocial: true };
    const job = jsonBody(
      await importing([
        exported("plain"),
        exported("blocked", { blocked: true, multifactor: [], last_password_reset: "2024-01-01T00:00:00.000Z" }),
        exported("linked", { identities: [{ ...own, user_id: "linked" }, google] }),
        exported("social", { user_id: "google-oauth2|1101", identities: [google] }),
        exported("elsewhere", { identities: [{ ...own, connection: "Partners", user_id: "elsewhere" }] }),
        exported("else", { connection: "Partners" }),
        exported("mixed", { identities: [{ ...own, user_id: "plain" }] }),
        exported("provider", { provider: "google-oauth2" }),
        exported("secondary", { linked_to: "auth0|plain" }),
        exported("factor", { multifactor: ["guardian"] }),
        exported("roles", { roles: ["admin"] }),
        exported("verified", { email_verified: "yes" }),
      ]),
      202,
    );
    // The first user has five members that have no effect, and the second user has six.
    expect(job).toMatchObject({ summary: { total: 12, inserted: 2, updated: 0, failed: 10, ignored: 11 } });
    const errors = list(await manage("GET", `/api/v2/jobs/${stringMember(job, "id")}/errors`));
    const result = errors.map(({ user, errors: [first] = [] }: JsonBody & { errors?: readonly JsonBody[] }) => [
      String((user as JsonBody)["name"]),
      first?.["path"] ?? "",
      first?.["message"],
    ]);
    expect(result).toEqual([
      ["linked", "identities", expect.stringContaining("creates no linked accounts")],
      ["social", "identities", expect.stringContaining("'google-oauth2', not to")],
      ["elsewhere", "identities", expect.stringContaining("'Partners', not to")],
      ["else", "connection", expect.stringContaining("'Partners', not to")],
      ["mixed", "identities", expect.stringContaining("not the account with the id in 'user_id'")],
      ["provider", "provider", expect.stringContaining("'google-oauth2', not with")],
      ["secondary", "linked_to", expect.stringContaining("linked to another user")],
      ["factor", "multifactor", expect.stringContaining("second factor")],
      ["roles", "", expect.stringContaining("roles")],
      ["verified", "email_verified", expect.any(String)],
    ]);
    expect(jsonBody(await manage("GET", "/api/v2/users/auth0|blocked"))).toMatchObject({ blocked: true, email_verified: true });
    expect(jsonBody(await manage("GET", "/api/v2/users/auth0|plain"))).not.toHaveProperty("last_login");
    // With `upsert`, the same members make a user fail or are ignored.
    const repeated = jsonBody(
      await importing([exported("plain", { multifactor: ["guardian"] }), exported("plain")], { upsert: "true" }),
      202,
    );
    expect(repeated).toMatchObject({ summary: { total: 2, updated: 1, failed: 1, ignored: 5 } });
  });

  test("an export supports fields, column names, a limit and a connection, and its CSV is safe in a spreadsheet", async () => {
    await importing([{ email: "evil@example.test", name: '=HYPERLINK("http://x")', user_metadata: { plan: "a,b" } }]);
    const fields = [
      { name: "email" },
      { name: "name", export_as: "full name" },
      { name: "user_metadata.plan" },
      { name: "identities[0].connection" },
      { name: "none" },
    ];
    const csv = await fetchExport({ format: "csv", connection_id: connectionId, fields });
    expect(csv.split("\r\n")[0]).toBe("email,full name,user_metadata.plan,identities[0].connection,none");
    expect(csv).toContain(`evil@example.test,"'=HYPERLINK(""http://x"")","a,b",Username-Password-Authentication,\r\n`);
    expect((await fetchExport({ limit: 3 })).trim().split("\r\n")).toHaveLength(4);
    expect(
      JSON.parse((await fetchExport({ format: "json", limit: 1, fields: [{ name: "user_id", export_as: "id" }] })).trim()),
    ).toHaveProperty("id");
  });

  test("an export can be downloaded with its URL for a day, in its tenant", async () => {
    const job = jsonBody(await manage("POST", "/api/v2/jobs/users-exports", {}));
    const path = `/api/v2/jobs/${stringMember(job, "id")}`;
    const { location } = jsonBody(await manage("GET", path));
    const address = new URL(String(location));
    const get = async (change: (url: URL) => void): Promise<number> => {
      const url = new URL(address);
      change(url);
      return (await service.postern.fetch(new Request(url))).status;
    };
    const ticket = address.searchParams.get("ticket") ?? "";
    expect(await get(() => {})).toBe(200);
    expect(await get((url) => url.searchParams.set("ticket", `${ticket.slice(0, -1)}${ticket.endsWith("A") ? "B" : "A"}`))).toBe(404);
    expect(await get((url) => url.searchParams.set("ticket", ticket.replace("main.", "other.")))).toBe(404);
    expect(await get((url) => url.searchParams.delete("ticket"))).toBe(400);
    const other = jsonBody(await manage("POST", "/api/v2/jobs/users-exports", {}));
    expect(await get((url) => (url.pathname = url.pathname.replace(stringMember(job, "id"), stringMember(other, "id"))))).toBe(404);
    service.clock.advance("25h");
    expect(await get(() => {})).toBe(404);
    expectError(await manage("GET", path), 404, "not_found");
  });
});

describe("an import by the host", async () => {
  const service = await openService();

  test("reads users as a stream, reports progress, and continues after an invalid user", async () => {
    async function* users() {
      for (let n = 0; n < 250; n++) yield n === 7 ? { email: 7 } : { email: `many-${n}@example.test` };
    }
    const [result, rejected]: [number[], unknown[]] = [[], []];
    const counts = await service.postern.importUsers("main", users(), {
      connection: "Username-Password-Authentication",
      onProgress: ({ total }) => void result.push(total),
      onRejected: (user) => void rejected.push(user),
    });
    expect(counts).toEqual({ total: 250, inserted: 249, updated: 0, failed: 1 });
    expect(result).toEqual([100, 200, 250]);
    expect(rejected).toEqual([{ email: 7 }]);
    const repeated = await service.postern.importUsers("main", users(), { connection: "Username-Password-Authentication", upsert: true });
    expect(repeated).toEqual({ total: 250, inserted: 0, updated: 249, failed: 1 });
  });

  test("values that cannot be stored, and an update that makes a user too large, fail only that user", async () => {
    const connection = "Username-Password-Authentication";
    const half = { text: "x".repeat(40_000) };
    const first = [{ email: "large@example.test", app_metadata: { a: half } }];
    expect(await service.postern.importUsers("main", first, { connection })).toMatchObject({ inserted: 1 });
    const messages: string[] = [];
    const users = [
      { email: "large@example.test", app_metadata: { b: half } },
      { email: "nul@example.test", name: "a\0b" },
      { email: "lone@example.test", user_metadata: { a: "\ud800" } },
      { email: "fine@example.test" },
    ];
    const counts = await service.postern.importUsers("main", users, {
      connection,
      upsert: true,
      onRejected: (_, faults) => void messages.push(...faults.map(({ message }) => message)),
    });
    expect(counts).toEqual({ total: 4, inserted: 1, updated: 0, failed: 3 });
    expect(messages.toSorted()).toEqual([
      expect.stringContaining("'app_metadata' is too large"),
      "text must be well-formed Unicode",
      "text must not contain NUL characters",
    ]);
  });

  test("names an unknown tenant or connection", async () => {
    await expect(service.postern.importUsers("none", [], { connection: "x" })).rejects.toMatchObject({ code: "not_found" });
    await expect(service.postern.importUsers("main", [], { connection: "x" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
