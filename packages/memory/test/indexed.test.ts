import { schema, type AnyRow, type CollectionDescription, type Match } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { checkIndexed, isIndexed } from "../src/indexed.ts";

const tenant_id = "t";
const { users, logs, sessions, tenants, directory, user_roles } = schema;

type Query = readonly [CollectionDescription, Match<AnyRow>, ...order: string[]];

const isSupported = ([description, where, ...fields]: Query): boolean =>
  isIndexed(description, where, fields.length === 0 ? undefined : { fields, direction: "asc" });

const describeQuery = ([{ name }, where, ...order]: Query): string => `${name} ${JSON.stringify(where)} ${order.join(", ")}`;

const supported: readonly Query[] = [
  // The key, a unique key, and additional conditions.
  [users, { tenant_id, user_id: "u" }],
  [users, { tenant_id, user_id: { in: ["u", "v"] }, blocked: true }, "created_at", "user_id"],
  [users, { tenant_id, connection: "c", email_key: "e", deleting_at: null }],
  [tenants, { id: "t", deleting_at: null }],
  // An index with a selecting field in its prefix.
  [users, { tenant_id, email: "e" }],
  [users, { tenant_id, email: { in: ["e", "f"] }, deleting_at: null, blocked: true }],
  [users, { tenant_id, linked_to: "u" }, "created_at", "user_id"],
  [users, { tenant_id, connection: "c", email_key: null }],
  [logs, { tenant_id, type: "s", log_id: { gte: "e" } }, "log_id"],
  [user_roles, { tenant_id, user_id: "u" }, "organization_id", "role_id"],
  [user_roles, { tenant_id, user_id: "u", organization_id: "o" }],
  [directory, { tenant_id: "t" }],
  // Lists: no field selects.
  [users, { tenant_id }],
  [users, { tenant_id, linked_to: "", deleting_at: null }, "email", "user_id"],
  [users, { tenant_id, deleting_at: null }, "user_id"],
  [users, { tenant_id, name: { contains: "x" } }],
  [logs, { tenant_id, log_id: { lt: "e" } }, "log_id"],
  [tenants, { deleting_at: null }, "created_at", "id"],
  [tenants, { deleting_at: null }],
  // Queries of `sweep`.
  [sessions, { purge_at: { lt: 9 } }],
  [users, { deleting_at: { exists: true } }],
  [users, { deleting_at: { lt: 9 } }],
];

const unsupported: readonly Query[] = [
  // The selecting field is not in the prefix of an index.
  [users, { tenant_id, blocked: true }],
  [users, { tenant_id, linked_to: "", nickname: "n" }],
  [users, { tenant_id, email_key: "e" }],
  [logs, { tenant_id, hostname: "h" }, "log_id"],
  // The order is not in the index, or not at the right position.
  [users, { tenant_id, linked_to: "" }, "nickname", "user_id"],
  [users, { tenant_id, deleting_at: null }, "name", "user_id"],
  [users, { tenant_id, email: "e" }, "created_at", "user_id"],
  [logs, { tenant_id, user_id: "u" }, "type", "log_id"],
  [logs, { tenant_id }, "log_id", "date"],
  // The condition does not name a tenant.
  [users, { user_id: "u" }],
  [users, { deleting_at: null }],
  [sessions, { created_at: { lt: 9 } }],
];

for (const query of supported) test(`supported: ${describeQuery(query)}`, () => expect(isSupported(query)).toBe(true));
for (const query of unsupported) test(`unsupported: ${describeQuery(query)}`, () => expect(isSupported(query)).toBe(false));

test("the error names the collection, the condition and the order", () => {
  const order = { fields: ["name", "user_id"], direction: "asc" } as const;
  expect(() => checkIndexed(users, { tenant_id, blocked: true }, order)).toThrow(
    `no index of users supports {"tenant_id":"t","blocked":true} ordered by name, user_id`,
  );
});
