import type { AnyRow } from "@postern/core/adapter";
import { row } from "./rows.ts";

/** The tenant that all rows belong to. */
export const tenant = "plans";

/** Assigns rows to a hundred lists of equal length. */
const hundredth = (i: number): number => i % 100;

const time = (i: number): number => 1_700_000_000_000 + i;

const user = (i: number): AnyRow =>
  row("users", {
    tenant_id: tenant,
    user_id: `auth0|${String(i).padStart(24, "0")}`,
    connection: "users",
    email: `user${i}@example.com`,
    email_key: `user${i}@example.com`,
    username: `user${i}`,
    phone_number: `+1${String(i).padStart(10, "0")}`,
    name: `User ${i % 100}`,
    created_at: 1_700_000_000_000 + (i >> 1),
    updated_at: time(i),
    logins_count: i % 10,
    last_login: i,
  });

/** Returns the id of an event. The ids have the order of the events. */
export const eventId = (i: number): string => `90020${String(i).padStart(12, "0")}`;

const event = (i: number): AnyRow =>
  row("logs", {
    tenant_id: tenant,
    log_id: eventId(i),
    date: time(i),
    type: i % 100 === 0 ? "fp" : "s",
    user_id: `auth0|${String(i % 1000).padStart(24, "0")}`,
    client_id: `client${i % 7}`,
    ip: `192.0.2.${i % 250}`,
    // The rows are not stored in the order of their expiry.
    expires_at: 1_800_000_000_000 - i,
  });

/** One session in two hundred is active. Expired sessions are stored until no token can refer to them. */
const session = (i: number): AnyRow =>
  row("sessions", {
    tenant_id: tenant,
    id: `sess_${String(i).padStart(24, "0")}`,
    user_id: `auth0|${hundredth(i)}`,
    created_at: time(i),
    expires_at: i % 200 === 0 ? 1_800_000_000_000 : time(i),
    idle_expires_at: 1_800_000_000_000,
  });

const organization = (i: number): AnyRow =>
  row("organizations", {
    tenant_id: tenant,
    id: `org_${i}`,
    name: `org-${i}`,
    display_name: `Organization ${i % 500}`,
    created_at: time(i),
  });

const client = (i: number): AnyRow =>
  row("clients", { tenant_id: tenant, client_id: `client-${i}`, name: `App ${i % 500}`, created_at: 1_700_000_000_000 + i });

const api = (i: number): AnyRow =>
  row("resource_servers", {
    tenant_id: tenant,
    id: `api_${i}`,
    identifier: `https://api${i}.example.com`,
    name: `API ${i % 500}`,
    created_at: time(i),
  });

const member = (i: number): AnyRow =>
  row("organization_members", {
    tenant_id: tenant,
    organization_id: `org_${hundredth(i)}`,
    user_id: `auth0|${i >> 1}`,
    created_at: time(i),
  });

const invitation = (i: number): AnyRow =>
  row("invitations", {
    tenant_id: tenant,
    id: `uinv_${i}`,
    organization_id: `org_${hundredth(i)}`,
    ticket_hash: `${i}`,
    created_at: time(i),
  });

const refreshToken = (i: number): AnyRow =>
  row("refresh_tokens", { tenant_id: tenant, id: `rt_${i}`, token_hash: `${i}`, user_id: `auth0|${hundredth(i)}`, created_at: time(i) });

/** One grant in a hundred is for another API. */
const consent = (i: number): AnyRow =>
  row("consents", {
    tenant_id: tenant,
    id: `cons_${i}`,
    user_id: `auth0|${hundredth(i)}`,
    client_id: `client-${hundredth(i)}`,
    audience_hash: i % 100 === 0 ? "rare" : `${i}`,
    created_at: time(i),
  });

const connection = (i: number): AnyRow =>
  row("connections", {
    tenant_id: tenant,
    id: `con_${i}`,
    name: `connection-${i}`,
    strategy: i % 100 === 0 ? "email" : "auth0",
    created_at: time(i),
  });

const heldRole = (i: number): AnyRow =>
  row("user_roles", { tenant_id: tenant, user_id: `auth0|${i}`, organization_id: "", role_id: `rol_${hundredth(i)}`, created_at: time(i) });

/** One tenant in a thousand is being created, and one in a thousand is being deleted. */
const oneTenant = (i: number): AnyRow =>
  row("tenants", {
    id: `t-${i}`,
    name: `Tenant ${i}`,
    organization_id: `org_${i}`,
    ready_at: i % 1000 === 0 ? null : time(i),
    deleting_at: i % 1000 === 1 ? time(i) : null,
    created_at: time(i),
  });

const operation = (i: number): AnyRow =>
  row("tenant_operations", {
    id: `top_${i}`,
    tenant_id: `t-${hundredth(i)}`,
    kind: "upgrade",
    finished_at: i % 1000 === 0 ? null : time(i),
    created_at: time(i),
  });

/**
 * The rows to create for the tests of query plans, by collection: their number and the function that creates each row.
 */
export const made = {
  users: { count: 10_000, row: user },
  logs: { count: 10_000, row: event },
  sessions: { count: 10_000, row: session },
  organizations: { count: 10_000, row: organization },
  clients: { count: 10_000, row: client },
  resource_servers: { count: 10_000, row: api },
  organization_members: { count: 3000, row: member },
  invitations: { count: 3000, row: invitation },
  refresh_tokens: { count: 3000, row: refreshToken },
  consents: { count: 3000, row: consent },
  connections: { count: 3000, row: connection },
  user_roles: { count: 3000, row: heldRole },
  tenants: { count: 10_000, row: oneTenant },
  tenant_operations: { count: 3000, row: operation },
} as const;
