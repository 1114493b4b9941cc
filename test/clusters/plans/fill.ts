import {
  schema,
  storedFields,
  storedKey,
  storedUnique,
  type CollectionDescription,
  type CollectionName,
  type Field,
} from "@postern/core/adapter";
import type { PlanDatabaseName } from "./compile.ts";

/** The number of rows of each table in a stage. */
export interface Stage {
  readonly name: "small" | "large";
  /** The time of the newest rows. Statements compare with it. */
  readonly now: number;
  readonly rows: (name: CollectionName) => number;
}

/** Tables that grow with users and logins. */
const largeTables: readonly CollectionName[] = [
  "users",
  "passwords",
  "sessions",
  "refresh_tokens",
  "consents",
  "logs",
  "authorization_codes",
  "login_sessions",
  "one_time_codes",
  "organization_members",
  "user_roles",
];

/** Tables of which each tenant has a few rows, also the largest tenant. */
const evenTables: readonly CollectionName[] = [
  "signing_keys",
  "email_providers",
  "email_templates",
  "log_streams",
  "custom_domains",
  "custom_texts",
  "stored_documents",
];

/** Tables of settings. */
const smallTables: readonly CollectionName[] = [
  ...evenTables,
  "tenants",
  "clients",
  "resource_servers",
  "client_grants",
  "connections",
  "roles",
  "organizations",
  "jobs",
];

const start = Date.UTC(2026, 0, 1);
/** Milliseconds between two rows, so that a million rows take 30 days. */
const step = 2592;
/** One row in a hundred of a large table is expired, as between two sweeps. */
const lifetime = 990_000 * step;
/**
 * The rows of the largest tables. With 20,000, the suite ends within a minute and shows the effect of a change, but also
 * reports plans that read a small table.
 */
const large = Number(process.env["POSTERN_TEST_PLAN_ROWS"] ?? 1_000_000);

/** A thousand rows in each table. */
export const smallStage: Stage = { name: "small", now: start + 1000 * step, rows: () => 1000 };

/** A million rows in the tables that grow with logins, and 100,000 or 10,000 in the others. */
export const largeStage: Stage = {
  name: "large",
  now: start + large * step,
  rows: (name) => (largeTables.includes(name) ? large : Math.ceil(smallTables.includes(name) ? large / 100 : large / 10)),
};

/** The tenant with 99 % of the rows, and one of a hundred small tenants. */
export const probedTenants = ["big", "t5"] as const;

/** The SQL of expressions that differ between databases. */
interface Functions {
  readonly text: (...parts: readonly string[]) => string;
  readonly divide: (number: string, by: number) => string;
  readonly yes: string;
  readonly no: string;
}

const functions: { readonly [name in PlanDatabaseName]: Functions } = {
  sqlite: { text: (...parts) => parts.map((part) => `(${part})`).join(" || "), divide: (n, by) => `(${n} / ${by})`, yes: "1", no: "0" },
  postgres: {
    text: (...parts) => parts.map((part) => (part.startsWith("'") ? part : `(${part})::text`)).join(" || "),
    divide: (n, by) => `(${n} / ${by})`,
    yes: "true",
    no: "false",
  },
  mysql: { text: (...parts) => `concat(${parts.join(", ")})`, divide: (n, by) => `(${n} div ${by})`, yes: "1", no: "0" },
};

/** The number of different values of a field that refers to another row, and the prefix of the values. */
const references: { readonly [field: string]: readonly [prefix: string, values: number] } = {
  user_id: ["auth0|", 250_000],
  account_id: ["auth0|", 250_000],
  client_id: ["client", 50],
  organization_id: ["org_", 1000],
  connection_id: ["con_", 20],
  role_id: ["rol_", 100],
  resource_server_id: ["api_", 30],
  session_id: ["sess_", 200_000],
  grant_id: ["grant_", 300_000],
  family_id: ["fam_", 150_000],
  login_id: ["login_", 250_000],
  stream_id: ["lst_", 10],
  operation_id: ["top_", 10_000],
  audience: ["https://api", 20],
  identifier_hash: ["identifier", 250_000],
  ip: ["192.0.2.", 5000],
  last_ip: ["192.0.2.", 5000],
  type: ["type", 20],
  purpose: ["purpose", 5],
  status: ["status", 4],
  strategy: ["strategy", 5],
  kind: ["kind", 5],
  name: ["Name ", 50_000],
  display_name: ["Name ", 50_000],
  seal: ["key.", 1_000_000_007],
};

/** Fields that few rows have. */
const rare =
  /^(deleting_at|revoked_at|consumed_at|rotated_at|recovered_at|retires_at|removing_factor|first_factor|former_name|slot|origin)$/;

const isExpiry = (field: string): boolean =>
  /^(expires_at|purge_at|idle_expires_at|lease_until|leased_until|next_at|retires_at)$/.test(field);

/** Values that the general rules do not cover, by collection and field. `i` is the number of the row. */
function specialValue(name: string, field: string, { text, divide }: Functions): string | undefined {
  switch (`${name}.${field}`) {
    case "users.user_id":
      return text("'auth0|'", "i");
    case "users.linked_to":
      return `case when i % 100 = 42 then ${text("'auth0|'", "i - 1")} else '' end`;
    case "users.connection":
      return "case when i % 10 = 3 then 'google' else 'users' end";
    case "users.email":
    case "users.email_key":
      return text("'user'", "i", "'@example.com'");
    case "users.username":
    case "users.username_key":
      return `case when i % 3 = 0 then ${text("'user'", "i")} end`;
    case "users.phone_number":
    case "users.phone_key":
      return `case when i % 3 = 1 then ${text("'+1'", "i")} end`;
    case "users.subject_key":
      return `case when i % 10 = 3 then ${text("'subject'", "i")} end`;
    case "organization_members.user_id":
    case "user_roles.user_id":
    case "user_permissions.user_id":
    case "upstream_tokens.account_id":
      return text("'auth0|'", "i");
    case "user_roles.organization_id":
      return `case when i % 2 = 0 then '' else ${text("'org_'", "i * 7919 % 1000")} end`;
    case "clients.client_id":
      return text("'client'", "i");
    case "custom_texts.prompt":
    case "stored_documents.name":
    case "role_permissions.permission_name":
    case "user_permissions.permission_name":
      return text("'n'", "i");
    case "connection_domains.domain":
    case "custom_domains.domain":
      return text("'domain'", "i", "'.example.com'");
    case "organization_connections.organization_id":
    case "organization_client_grants.organization_id":
    case "client_grants.client_id":
      return text("'r'", "i");
    case "consents.audience_hash":
      return text("'audience'", `${divide("i", 250_000)} * 5 + i % 5`);
    case "directory.value":
      return text("'value'", "i");
    case "signing_keys.slot":
      return "case when i % 1000 = 17 then i end";
    case "tenants.ready_at":
    case "tenant_operations.finished_at":
      return `case when i % 1000 <> 17 then ${start} + i * ${step} end`;
    case "role_permissions.role_id":
      return text("'rol_'", "i * 7919 % 10000");
    case "log_stream_deliveries.stream_id":
      return text("'lst_'", "i * 7919 % 1000");
    case "log_streams.status":
      return "case when i % 10 = 0 then 'paused' else 'active' end";
    default:
      return undefined;
  }
}

function valueOf(description: CollectionDescription, name: string, field: Field, sql: Functions): string {
  const special = specialValue(description.name, name, sql);
  if (special !== undefined) return special;
  const isUnique =
    name === "id" ||
    [storedKey(description), ...storedUnique(description)].some((key) => key.filter((part) => part !== "tenant_id").join() === name);
  const value = plainValue(name, field, isUnique, sql);
  if (!field.nullable || isExpiry(name)) return value;
  if (rare.test(name)) return `case when i % 1000 = 17 then ${value} end`;
  return `case when i % 10 <> 8 then ${value} end`;
}

function plainValue(name: string, { type }: Field, isUnique: boolean, sql: Functions): string {
  switch (type) {
    case "boolean":
      return name === "listed" ? `case when i % 50 = 0 then ${sql.yes} else ${sql.no} end` : sql.no;
    case "integer":
      return "i % 10";
    case "instant":
      return isExpiry(name) ? `${start + lifetime} + i * ${step}` : `${start} + i * ${step}`;
    case "strings":
      return "'[]'";
    case "object":
      return "'{}'";
    case "string":
    case "text": {
      const reference = references[name];
      if (isUnique) return sql.text(`'${name}'`, "i");
      return reference === undefined ? sql.text("'v'", "i % 1000") : sql.text(`'${reference[0]}'`, `i * 7919 % ${reference[1]}`);
    }
  }
}

/** Returns the statement that inserts the rows from `from` to before `to`. */
export function fillStatement(database: PlanDatabaseName, description: CollectionDescription, from: number, to: number): string {
  const sql = functions[database];
  const tenant = evenTables.includes(description.name as CollectionName)
    ? `case when i % 1000 = 17 then 'big' else ${sql.text("'t'", "i % 1000")} end`
    : `case when i % 100 = 99 then ${sql.text("'t'", `${sql.divide("i", 100)} % 100`)} else 'big' end`;
  const fields = Object.entries(storedFields(description));
  const values = fields.map(([name, field]) =>
    name === "tenant_id" && description.scope === "tenant" ? tenant : valueOf(description, name, field, sql),
  );
  const rows = {
    sqlite: `(with recursive s(i) as (select ${from} union all select i + 1 from s where i < ${to - 1}) select i from s) as s`,
    postgres: `generate_series(${from}::bigint, ${to - 1}) as s(i)`,
    mysql: `(select seq as i from seq_${from}_to_${to - 1}) as s`,
  }[database];
  return `insert into postern_${description.name} (${fields.map(([name]) => name).join(", ")}) select ${values.join(", ")} from ${rows}`;
}

/** The descriptions of all collections, by the names of their tables. */
export const tableDescriptions: ReadonlyMap<string, CollectionDescription> = new Map(
  Object.values(schema).map((description) => [`postern_${description.name}`, description]),
);
