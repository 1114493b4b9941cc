import { createHash, randomUUID } from "node:crypto";
import { schema, type Row } from "@postern/core/adapter";
import type { TestPostern } from "./postern.ts";

const password = "Username-Password-Authentication";

/** Stores an account that is linked to `primary`, as linking does. */
export async function insertLinked(
  { data, clock }: TestPostern,
  primary: string,
  account: Partial<Row<"users">> & Pick<Row<"users">, "user_id">,
): Promise<void> {
  const now = clock.now();
  const row: Row<"users"> = {
    connection: password,
    provider: "auth0",
    linked_to: primary,
    linked_count: 0,
    email: "",
    email_key: null,
    email_verified: false,
    email_proof: null,
    proven_email: null,
    is_unproven_sign_up: false,
    username: null,
    username_key: null,
    phone_number: null,
    phone_key: null,
    subject_key: null,
    phone_verified: false,
    name: "",
    nickname: "",
    given_name: null,
    family_name: null,
    picture: null,
    standard_claims: null,
    blocked: false,
    app_metadata: {},
    user_metadata: {},
    password_id: null,
    enrolled_factors: null,
    factors_changed_at: null,
    factors_frozen_until: null,
    password_frozen_until: null,
    removing_factor: null,
    first_factor: null,
    last_password_reset: null,
    last_ip: null,
    last_login: 0,
    logins_count: 0,
    deletes_at: null,
    deletion_step_at: null,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
    ...account,
  };
  const users = data.collections.users;
  if (!(await users.insert([{ ...row, tenant_id: "main" }]))) throw new Error(`${schema.users.name}: duplicate key`);
  if ((await users.update({ tenant_id: "main", user_id: primary }, { add: { linked_count: 1 } })) !== 1) throw new Error("no primary");
}

/** Stores how a user proved the email address. Default: with a code that was sent to it. */
export async function insertProof(
  { data }: TestPostern,
  { userId, email }: { readonly userId: string; readonly email: string },
  kind: "mailbox" | "provider" | "administrator" | "asserted" | null = "mailbox",
): Promise<void> {
  const set = { email_verified: true, email_proof: kind, proven_email: kind === null ? null : email };
  if ((await data.collections.users.update({ tenant_id: "main", user_id: userId }, { set })) !== 1) throw new Error("no such user");
}

/** Stores a verified custom domain of a tenant, as the verification endpoint does. */
export async function insertHost({ data, clock }: TestPostern, tenantId: string, domain: string): Promise<void> {
  const now = clock.now();
  await data.collections.directory.insert([{ kind: "host", value: domain, tenant_id: tenantId, created_at: now }]);
  const row = {
    id: `cd_${domain}`,
    domain,
    type: "self_managed_certs",
    status: "ready",
    is_default: false,
    verification: {},
    settings: {},
    revision: 0,
  };
  await data.collections.custom_domains.insert([
    { ...row, tenant_id: tenantId, created_at: now, updated_at: now, verified_at: now, expires_at: null },
  ]);
}

/** Stores a user's consent to a client's access to an API, as the consent page does. @returns the id of the grant. */
export async function insertConsent(
  { data, clock }: TestPostern,
  tenantId: string,
  {
    userId,
    clientId,
    audience,
    scope,
  }: { readonly userId: string; readonly clientId: string; readonly audience: string; readonly scope: string[] },
): Promise<string> {
  const now = clock.now();
  const id = `cst_${randomUUID()}`;
  const row = {
    id,
    user_id: userId,
    client_id: clientId,
    audience,
    audience_hash: createHash("sha256").update(audience).digest("base64url"),
    scope,
    may_act: false,
  };
  if (!(await data.collections.consents.insert([{ ...row, tenant_id: tenantId, revision: 0, created_at: now, updated_at: now }]))) {
    throw new Error("the consent exists already");
  }
  return id;
}

/** Stores a public key of a user's device, as the Management API does. @returns the id of the key. */
export async function insertPublicKey(
  { data, clock }: Pick<TestPostern, "data" | "clock">,
  { userId, clientId, tenantId = "main" }: { readonly userId: string; readonly clientId: string; readonly tenantId?: string },
): Promise<string> {
  const id = `dcr_${randomUUID()}`;
  const key = { device_id: "0a1b2c", device_name: "Phone", value: "MCowBQYDK2VwAyEA", created_at: clock.now() };
  await data.collections.device_credentials.insert([{ ...key, id, tenant_id: tenantId, user_id: userId, client_id: clientId }]);
  return id;
}

/** Stores a logout token that a client has not accepted, as a failed delivery does. @returns the id of the delivery. */
export async function insertLogoutDelivery({ data, clock }: Pick<TestPostern, "data" | "clock">, tenantId = "main"): Promise<string> {
  const now = clock.now();
  const delivery = {
    id: `lgo_${randomUUID()}`,
    client_id: "app",
    url: "https://app.example.test/backchannel-logout",
    session_id: "sess_1",
    user_id: "auth0|1",
    issuer: "https://id.example.test/",
    initiator: "rp-logout",
    session_metadata: null,
    state: "failed",
    failures: 1,
    last_error: "the endpoint responded with 400",
  };
  const times = { next_at: now, leased_until: 0, served_at: now, expires_at: now, created_at: now, purge_at: now + 86_400_000 };
  await data.collections.logout_deliveries.insert([{ ...delivery, ...times, revision: 1, tenant_id: tenantId }]);
  return delivery.id;
}
