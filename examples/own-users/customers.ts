import type { SqliteOptions } from "@postern/kysely";
import type Database from "better-sqlite3";

/** The app's table before Postern is added. The table's rows, its id and two of its other columns remain in use. */
export const originalTable = `
create table customers (
  id integer primary key,
  mail text not null unique,
  full_name text not null,
  plan text not null default 'free'
);
`;

/**
 * The additional columns, in the types that 'postern migrate sql sqlite' prints. The app inserts customers as before:
 * Postern's columns have a default, or the trigger sets them. Customers become users without a password. They set a
 * password with "Forgot password".
 */
const upgrade = `
alter table customers add column tenant_id text not null default 'main';
alter table customers add column user_id text;
alter table customers add column connection text not null default 'Username-Password-Authentication';
alter table customers add column provider text not null default 'auth0';
alter table customers add column linked_to text not null default '';
alter table customers add column linked_count integer not null default 0;
alter table customers add column email_key text;
alter table customers add column email_verified integer not null default 0;
alter table customers add column email_proof text;
alter table customers add column proven_email text;
alter table customers add column is_unproven_sign_up integer not null default 0;
alter table customers add column username text;
alter table customers add column username_key text;
alter table customers add column phone_number text;
alter table customers add column phone_key text;
alter table customers add column subject_key text;
alter table customers add column phone_verified integer not null default 0;
alter table customers add column nickname text not null default '';
alter table customers add column given_name text;
alter table customers add column family_name text;
alter table customers add column picture text;
alter table customers add column standard_claims text;
alter table customers add column blocked integer not null default 0;
alter table customers add column app_metadata text not null default '{}';
alter table customers add column user_metadata text not null default '{}';
alter table customers add column password_id text;
alter table customers add column enrolled_factors text;
alter table customers add column factors_changed_at integer;
alter table customers add column factors_frozen_until integer;
alter table customers add column password_frozen_until integer;
alter table customers add column removing_factor text;
alter table customers add column first_factor text;
alter table customers add column last_password_reset integer;
alter table customers add column last_ip text;
alter table customers add column last_login integer not null default 0;
alter table customers add column logins_count integer not null default 0;
alter table customers add column deletes_at integer;
alter table customers add column deletion_step_at integer;
alter table customers add column revision integer not null default 0;
alter table customers add column created_at integer not null default 0;
alter table customers add column updated_at integer not null default 0;
alter table customers add column deleting_at integer;
update customers set user_id = 'auth0|' || id, mail = lower(mail), email_key = lower(mail), created_at = unixepoch() * 1000, updated_at = unixepoch() * 1000;
create trigger customers_become_users after insert on customers when new.user_id is null begin
  update customers set user_id = 'auth0|' || id, mail = lower(mail), email_key = lower(mail), created_at = unixepoch() * 1000, updated_at = unixepoch() * 1000
  where id = new.id;
end;
create unique index customers_key on customers (tenant_id, user_id);
create unique index customers_email on customers (tenant_id, connection, email_key);
create unique index customers_username on customers (tenant_id, connection, username_key);
create unique index customers_phone on customers (tenant_id, connection, phone_key);
create unique index customers_subject on customers (tenant_id, connection, subject_key);
create index customers_by_linked_to on customers (tenant_id, linked_to, created_at, user_id);
create index customers_by_deleting_at on customers (deleting_at, tenant_id, user_id);
create index customers_by_deletion_step_at on customers (deletion_step_at, tenant_id, user_id);
`;

/** The mapping of fields to columns. All other columns have the name of their field. */
export const tables = {
  users: { table: "customers", columns: { email: "mail", name: "full_name" } },
} as const satisfies SqliteOptions["tables"];

/** Adds the columns to the app's table. Does nothing if they exist. */
export function upgradeCustomers(database: Database.Database): void {
  const columns = database.pragma("table_info(customers)") as readonly { readonly name: string }[];
  if (columns.some(({ name }) => name === "user_id")) return;
  database.transaction(() => database.exec(upgrade))();
}
