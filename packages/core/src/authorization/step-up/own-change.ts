import type { ChangePermission } from "../../identity/factors/change-permission.ts";
import { changePermission, type FactorSituation } from "../../identity/factors/factor-policy.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { firstFactorOf, passedFactorsOf } from "../../identity/sessions/methods.ts";
import type { StoredSession } from "../../identity/sessions/session.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { readSituation } from "./situation.ts";

/** The factors of a user in a browser session, and whether the user may change their account there now. */
export interface OwnChange {
  /** The user's confirmed factors, oldest first. */
  readonly factors: readonly Factor[];
  readonly situation: FactorSituation;
  readonly permission: ChangePermission;
}

/** Decides whether the user of a browser session may change their account now. */
export async function readOwnChange(
  tenant: RequestTenant,
  { user, session }: { readonly user: Row<"users">; readonly session: StoredSession },
): Promise<OwnChange> {
  const first = firstFactorOf(session);
  // Allows a user who signed in with a passkey to confirm a change with the same passkey. As a first factor it would not
  // be offered again.
  const counted = first.method === "passkey" ? ({ method: "pwd", at: first.at } as const) : first;
  const passed = passedFactorsOf(session);
  const { situation, factors } = await readSituation({ tenant, user, first: counted, passed, trustedBrowser: undefined });
  return { factors, situation, permission: changePermission({ ...situation, first }) };
}
