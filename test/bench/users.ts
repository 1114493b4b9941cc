import type { DataAdapter, StoredRow } from "@postern/core/adapter";

const connection = "Username-Password-Authentication";

/** Each statement is a transaction. The number of parameters that databases accept limits its rows. */
const rowsPerStatement = 500;

/** Inserts users of a tenant directly into the database, because the API would take too long. @returns their ids. */
export async function fillWithUsers(data: DataAdapter, tenantId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < count; start += rowsPerStatement) {
    const rows = Array.from({ length: Math.min(rowsPerStatement, count - start) }, (_, i) => userRow(tenantId, start + i));
    if (!(await data.collections.users.insert(rows))) throw new Error("the users already exist");
    ids.push(...rows.map(({ user_id: id }) => id));
  }
  return ids;
}

/** The order of creation differs from the order of the ids. One in a hundred users has the gold plan. */
function userRow(tenantId: string, i: number): StoredRow<"users"> {
  const email = `person${i}@example.com`;
  const created = Date.UTC(2025, 0, 1) + ((i * 7919) % 1_000_003) * 1000;
  return {
    tenant_id: tenantId,
    user_id: `${connection}|${String((i * 104_729) % 1_000_003).padStart(10, "0")}`,
    connection,
    provider: "auth0",
    linked_to: "",
    linked_count: 0,
    email,
    email_key: email,
    email_verified: i % 3 > 0,
    email_proof: null,
    proven_email: null,
    is_unproven_sign_up: false,
    username: null,
    username_key: null,
    phone_number: null,
    phone_key: null,
    subject_key: null,
    phone_verified: false,
    name: `Person ${i}`,
    nickname: `person${i}`,
    given_name: "Person",
    family_name: `Number ${i}`,
    picture: null,
    standard_claims: null,
    blocked: false,
    app_metadata: { plan: i % 100 === 0 ? "gold" : "free", seats: i % 50 },
    user_metadata: { locale: "en", theme: { dark: i % 2 === 0 } },
    password_id: null,
    enrolled_factors: null,
    factors_changed_at: null,
    factors_frozen_until: null,
    password_frozen_until: null,
    removing_factor: null,
    first_factor: null,
    last_password_reset: null,
    last_ip: "192.0.2.7",
    last_login: created + 86_400_000,
    logins_count: 1 + (i % 20),
    deletes_at: null,
    deletion_step_at: null,
    revision: 0,
    created_at: created,
    updated_at: created + 86_400_000,
    deleting_at: null,
  };
}
