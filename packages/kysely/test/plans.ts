import type { AnyRow, Filter, Find, Match } from "@postern/core/adapter";
import { beforeAll, describe, expect, test } from "vitest";
import type { SqlAdapter } from "@postern/kysely";
import { eventId, made, tenant } from "./plan-rows.ts";
import { untypedCollection } from "./rows.ts";
import { leaf, searchedFields, searchSorts } from "./searched-fields.ts";

/** Returns the text of a query plan, as the server prints it. */
type Explain = (sql: string, values: readonly unknown[]) => Promise<string>;

const pages: readonly (Pick<Find<AnyRow>, "orderBy"> & { readonly after: readonly (string | number)[]; readonly index: RegExp })[] = [
  ...(["created_at", "updated_at", "last_login", "logins_count"] as const).map((field) => ({
    orderBy: { fields: [field, "user_id"], direction: "desc" as const },
    after: [field === "created_at" || field === "updated_at" ? 1_700_000_002_000 : 5, "auth0|5"],
    index: new RegExp(`postern_users_by_linked_to_${field}`),
  })),
  ...(["email", "name"] as const).map((field) => ({
    orderBy: { fields: [field, "user_id"], direction: "asc" as const },
    after: [field === "email" ? "user5" : "User 5", "auth0|5"],
    // All users are primary accounts, so the shorter index on the email address is equally good.
    index: new RegExp(`postern_users_by_(linked_to_)?${field}`),
  })),
];

type Search = readonly [collection: keyof typeof lists, filter: Filter | undefined, index: RegExp];

/** Filters from `q`, for lists that are sorted by creation time. */
const searches: readonly Search[] = [
  ["users", leaf("email", "eq", "user77@example.com"), /postern_users_by_(linked_to_)?email/],
  [
    "users",
    { or: [leaf("email", "eq", "user77@example.com"), leaf("email", "eq", "user78@example.com")] },
    /postern_users_by_(linked_to_)?email/,
  ],
  ["users", leaf("email", "prefix", "user77"), /postern_users_by_(linked_to_)?email/],
  ["users", leaf("name", "eq", "User 7"), /postern_users_by_linked_to_name/],
  ["users", leaf("name", "prefix", "User 77"), /postern_users_by_linked_to_name/],
  ["users", leaf("username", "eq", "user77"), /postern_users_by_linked_to_username/],
  ["users", leaf("phone_number", "eq", "+10000000077"), /postern_users_by_linked_to_phone_number/],
  ["users", leaf("user_id", "eq", `auth0|${"77".padStart(24, "0")}`), /postern_users_by_linked_to_|pk|pkey|PRIMARY|autoindex/],
  ["users", leaf("last_login", "gte", 9900), /postern_users_by_linked_to_last_login/],
  ["users", { and: [leaf("last_login", "gte", 9000), leaf("last_login", "lt", 9100)] }, /postern_users_by_linked_to_last_login/],
  [
    "users",
    { and: [leaf("email", "eq", "user77@example.com"), { field: "blocked", op: "eq", value: false }] },
    /postern_users_by_(linked_to_)?email/,
  ],
  ["logs", leaf("user_id", "eq", `auth0|${"77".padStart(24, "0")}`), /postern_logs_by_user_id/],
  // One row in seven matches, so reading along the list is equally good.
  ["logs", leaf("client_id", "eq", "client3"), /postern_logs_by_client_id|pk|pkey|PRIMARY|autoindex/],
  ["logs", leaf("type", "eq", "fp"), /postern_logs_by_type/],
  ["logs", leaf("ip", "eq", "192.0.2.77"), /postern_logs_by_ip/],
  ["logs", leaf("log_id", "gte", eventId(9900)), /pk|pkey|PRIMARY|autoindex/],
  ["logs", { and: [leaf("log_id", "gte", eventId(5000)), leaf("log_id", "lt", eventId(5010))] }, /pk|pkey|PRIMARY|autoindex/],
  [
    "logs",
    { and: [leaf("type", "eq", "fp"), leaf("log_id", "gte", eventId(5000)), leaf("log_id", "lt", eventId(5500))] },
    /postern_logs_by_type|pk|pkey|PRIMARY|autoindex/,
  ],
  ["sessions", undefined, /postern_sessions_by_expires_at/],
  ["organizations", leaf("name", "eq", "org-77"), /postern_organizations_(by_name|unique|name|key)|autoindex/],
  ["organizations", leaf("display_name", "eq", "Organization 77"), /postern_organizations_by_display_name/],
  ["clients", leaf("name", "prefix", "App 77"), /postern_clients_by_name/],
  ["consents", leaf("audience_hash", "eq", "rare"), /postern_consents_by_audience_hash_created_at/],
  ["connections", leaf("name", "eq", "connection-77"), /postern_connections_(by_name|unique_name)/],
  ["connections", leaf("name", "prefix", "connection-77"), /postern_connections_(by_name|unique_name)/],
  ["connections", leaf("strategy", "eq", "email"), /postern_connections_by_strategy/],
  ["tenants", undefined, /postern_tenants_by_created_at/],
  ["tenants", leaf("name", "eq", "Tenant 77"), /postern_tenants_by_name/],
  ["tenants", leaf("id", "eq", "t-77"), /postern_tenants_pkey|PRIMARY|autoindex/],
];

/** Queries that are not for lists and that return a few of many rows. */
const questions: readonly (readonly [name: keyof typeof made, where: Match<AnyRow>, index: RegExp])[] = [
  ["tenants", { organization_id: "org_77" }, /postern_tenants_unique_organization_id/],
  ["tenants", { ready_at: null, lease_until: { lte: 0 } }, /postern_tenants_by_ready_at_deleting_at/],
  ["tenant_operations", { finished_at: null, lease_until: { lte: 0 } }, /postern_tenant_operations_by_finished_at/],
];

/** Lists of the rows that belong to one user, organization, client or role, in the order of their pages. */
const parts: readonly (readonly [
  name: keyof typeof made,
  of: Match<AnyRow>,
  orderBy: { readonly fields: readonly string[]; readonly direction: "asc" | "desc" },
  /** The `after` values with which the second page starts. */
  after: readonly (string | number)[],
  index: RegExp,
])[] = [
  [
    "organization_members",
    { organization_id: "org_7" },
    { fields: ["created_at", "organization_id", "user_id"], direction: "asc" },
    [1_700_000_000_107, "org_7", "auth0|53"],
    /postern_organization_members_(by_organization_id_created_at|pkey)|PRIMARY/,
  ],
  [
    "invitations",
    { organization_id: "org_7" },
    { fields: ["created_at", "id"], direction: "desc" },
    [1_700_000_001_007, "uinv_1007"],
    /postern_invitations_by_organization_id_created_at/,
  ],
  [
    "refresh_tokens",
    { user_id: "auth0|7" },
    { fields: ["created_at", "id"], direction: "asc" },
    [1_700_000_000_107, "rt_107"],
    /postern_refresh_tokens_by_user_id_created_at/,
  ],
  [
    "sessions",
    { user_id: "auth0|7", revoked_at: null, expires_at: { gt: 1_600_000_000_000 }, idle_expires_at: { gt: 1_600_000_000_000 } },
    { fields: ["created_at", "id"], direction: "asc" },
    [1_700_000_000_107, "sess_"],
    /postern_sessions_by_user_id_created_at/,
  ],
  [
    "consents",
    { user_id: "auth0|7" },
    { fields: ["created_at", "id"], direction: "asc" },
    [1_700_000_000_107, "cons_107"],
    /postern_consents_(by_user_id_created_at|unique_user_id_client_id_audience_hash)/,
  ],
  [
    "consents",
    { client_id: "client-7" },
    { fields: ["created_at", "id"], direction: "asc" },
    [1_700_000_000_107, "cons_107"],
    /postern_consents_by_client_id_created_at/,
  ],
  [
    "user_roles",
    { role_id: "rol_7", organization_id: "" },
    { fields: ["user_id", "organization_id", "role_id"], direction: "asc" },
    ["auth0|107", "", "rol_7"],
    /postern_user_roles_by_role_id_organization_id/,
  ],
  [
    "tenant_operations",
    { tenant_id: "t-7" },
    { fields: ["tenant_id", "created_at", "id"], direction: "desc" },
    ["t-7", 1_700_000_001_007, "top_1007"],
    /postern_tenant_operations_by_tenant_id_/,
  ],
];

const lists = {
  users: {
    where: { tenant_id: tenant, linked_to: "", deleting_at: null },
    orderBy: { fields: ["created_at", "user_id"], direction: "asc" },
  },
  logs: { where: { tenant_id: tenant }, orderBy: { fields: ["log_id"], direction: "desc" } },
  sessions: {
    where: { tenant_id: tenant, revoked_at: null, expires_at: { gt: 1_750_000_000_000 }, idle_expires_at: { gt: 1_750_000_000_000 } },
    orderBy: { fields: ["created_at", "id"], direction: "asc" },
  },
  organizations: { where: { tenant_id: tenant, deleting_at: null }, orderBy: { fields: ["created_at", "id"], direction: "asc" } },
  clients: { where: { tenant_id: tenant, deleting_at: null }, orderBy: { fields: ["created_at", "client_id"], direction: "asc" } },
  resource_servers: { where: { tenant_id: tenant, deleting_at: null }, orderBy: { fields: ["created_at", "id"], direction: "asc" } },
  consents: { where: { tenant_id: tenant }, orderBy: { fields: ["created_at", "id"], direction: "asc" } },
  connections: { where: { tenant_id: tenant, deleting_at: null }, orderBy: { fields: ["created_at", "id"], direction: "asc" } },
  tenants: {
    where: { deleting_at: null, ready_at: { exists: true } },
    orderBy: { fields: ["created_at", "id"], direction: "asc" },
  },
} as const;

/** The parameters for testing the query plans of one database. */
interface Planned {
  readonly open: () => SqlAdapter;
  readonly recorded: () => readonly { sql: string; values: readonly unknown[] }[];
  readonly explain: Explain;
  /** Updates the planner's statistics. */
  readonly analyze: () => Promise<unknown>;
  /** Matches the plan of a page if rows are sorted or a whole table is read. No plan may match. */
  readonly faults: RegExp;
  /** Matches a plan that reads a whole table or a whole index. */
  readonly scan: RegExp;
  /**
   * Whether the planner always combines the indexes of alternatives. MariaDB decides by its statistics whether to combine
   * them or to read the rows of the tenant.
   */
  readonly combinesIndexes: boolean;
  /**
   * Matches the plan of a short list if rows are sorted. No plan may match. Omitted for databases that may choose to
   * sort the thirty rows of such a list.
   */
  readonly sorts?: RegExp;
  /**
   * Matches the plan of a total that is counted in an index. Every such plan must match. Omitted if the database does
   * not guarantee it.
   */
  readonly counting?: RegExp;
}

/**
 * Tests which indexes queries use. A page in a list of one tenant's 10,000 users reads as many index entries as it
 * returns rows, at any position in the list. The total is counted in an index. A search reads the rows that an index
 * finds, whatever the order of the list is, with fresh, old or no statistics.
 */
export function listsUseIndexes({ open, recorded, explain, analyze, faults, scan, combinesIndexes, sorts, counting }: Planned): void {
  const insert = async (name: keyof typeof made, from: number, to: number): Promise<void> => {
    const collection = untypedCollection(open(), name);
    for (let i = from; i < to; i += 64)
      await collection.insert(Array.from({ length: Math.min(64, to - i) }, (_, j) => made[name].row(i + j)));
  };
  const names = Object.keys(made) as readonly (keyof typeof made)[];
  beforeAll(async () => {
    for (const name of names) await insert(name, 0, 200);
    await analyze();
    for (const name of names) await insert(name, 200, made[name].count);
  }, 120_000);

  const planOf = async (find: () => Promise<unknown>): Promise<string> => {
    await find();
    const last = recorded().at(-1);
    if (last === undefined) throw new Error("nothing was recorded");
    return explain(last.sql, last.values);
  };

  describe.each([
    ["old", async () => {}],
    ["fresh", analyze],
  ] as const)("with %s statistics", (age, prepare) => {
    beforeAll(async () => void (await prepare()), 120_000);

    test.each(searches)("searches %s by %j with an index", async (name, filter, index) => {
      const { where, orderBy } = lists[name];
      const collection = untypedCollection(open(), name);
      let found: readonly AnyRow[] = [];
      const asked = { where, orderBy, limit: 50, ...(filter && { filter }) };
      expect(await planOf(async () => (found = await collection.find(asked)))).toMatch(index);
      expect(found.length).toBe(Math.min(50, await collection.count(where, filter)));
      expect(found.length).toBeGreaterThan(0);
    });

    test.each(searchedFields)("searches %s by %j with an index in every order", async (name, filter, indexes) => {
      const collection = untypedCollection(open(), name);
      for (const fields of searchSorts[name]) {
        if ("or" in filter && !combinesIndexes) continue;
        let found: readonly AnyRow[] = [];
        const asked = { where: lists[name].where, orderBy: { fields, direction: "asc" as const }, filter, limit: 50 };
        const plan = await planOf(async () => (found = await collection.find(asked)));
        for (const index of indexes) expect(plan, fields[0]).toMatch(index);
        expect(plan, fields[0]).not.toMatch(scan);
        expect(found.length).toBeGreaterThan(0);
      }
    });

    test.each(questions)("queries %s where %j with an index", async (name, where, index) => {
      const collection = untypedCollection(open(), name);
      let found: readonly AnyRow[] = [];
      expect(await planOf(async () => (found = await collection.find({ where, limit: 50 })))).toMatch(index);
      expect(found.length).toBeGreaterThan(0);
    });

    test("reads along the list for a search that nearly every row matches", async () => {
      const filter = leaf("last_login", "gte", 100);
      const plan = await planOf(() => untypedCollection(open(), "users").find({ ...lists.users, filter, limit: 50 }));
      expect(plan).toMatch(/postern_users_by_linked_to_created_at/);
    });

    test("reads and deletes expired rows of all tenants in the order of their expiry", async () => {
      const collection = untypedCollection(open(), "logs");
      const [first, now] = [1_800_000_000_001 - made.logs.count, 1_800_000_000_000];
      let found: readonly AnyRow[] = [];
      const where = { expires_at: { lt: now } };
      const plan = await planOf(async () => (found = await collection.find({ where, fields: ["expires_at"], limit: 500 })));
      expect(plan).toMatch(/postern_logs_across_expires_at/);
      expect(plan).not.toMatch(faults);
      expect(found.map((row) => row["expires_at"])).toEqual(Array.from({ length: 500 }, (_, i) => first + i));
      const range = { gte: first - 500, lte: first - 1 };
      expect(await planOf(() => collection.delete({ expires_at: range }))).toMatch(/postern_logs_across_expires_at/);
    });

    test.each(parts)("reads a page of %s where %j with an index", async (name, of, orderBy, place, index) => {
      const collection = untypedCollection(open(), name);
      const asked = { where: { tenant_id: tenant, ...of }, orderBy, limit: 50 };
      for (const rest of [{}, { after: place }]) {
        let found: readonly AnyRow[] = [];
        const plan = await planOf(async () => (found = await collection.find({ ...asked, ...rest })));
        expect(plan).toMatch(index);
        if (sorts !== undefined) expect(plan).not.toMatch(sorts);
        expect(found.length).toBeGreaterThan(0);
      }
    });

    test("reads along the list of sessions if most are active, even after a query for which few were active", async () => {
      const { where, orderBy } = lists.sessions;
      await planOf(() => untypedCollection(open(), "sessions").find({ where, orderBy, limit: 50 }));
      const many = { ...where, expires_at: { gt: 1_600_000_000_000 } };
      expect(await planOf(() => untypedCollection(open(), "sessions").find({ where: many, orderBy, limit: 50 }))).toMatch(
        /postern_sessions_by_created_at/,
      );
    });

    if (age === "old") return;

    test.each(pages)("reads a page by $orderBy.fields.0 $orderBy.direction with an index", async ({ orderBy, after: place, index }) => {
      for (const rest of [{}, { after: place }]) {
        const { where } = lists.users;
        const plan = await planOf(() =>
          untypedCollection(open(), "users").find({ where, ...(orderBy && { orderBy }), ...rest, limit: 50 }),
        );
        expect(plan).toMatch(index);
        expect(plan).not.toMatch(faults);
      }
    });

    test.runIf(counting !== undefined).each(["users", "tenants"] as const)("counts the total of %s in an index", async (name) => {
      let total = 0;
      const plan = await planOf(async () => (total = await untypedCollection(open(), name).count(lists[name].where)));
      expect(total).toBe(name === "users" ? made.users.count : made.tenants.count - 20);
      expect(plan).toMatch(counting ?? /./);
    });
  });
}
