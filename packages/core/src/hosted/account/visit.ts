import type { ChangePermission } from "../../identity/factors/change-permission.ts";
import type { FactorSituation } from "../../identity/factors/factor-policy.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import type { StoredSession } from "../../identity/sessions/session.ts";
import { readCookie } from "../../http/cookies.ts";
import { sessionCookie } from "../../login/cookies.ts";
import { readBrowserSession, type BrowserSession } from "../../login/interaction.ts";
import { readOwnChange } from "../../authorization/step-up/own-change.ts";
import type { Row } from "../../store/schema.ts";
import type { AccountSectionName } from "../../model/tenant/account-page.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { AccountPlace } from "./place.ts";
import { isReadOnlySection } from "../../tenants/account-sections.ts";

/** The visit of a signed-in user to a section of their account. */
export interface AccountVisit {
  readonly tenant: RequestTenant;
  readonly place: AccountPlace;
  readonly section: AccountSectionName;
  /** Whether the tenant lets users change nothing in the section. */
  readonly isReadOnly: boolean;
  /** The primary account. */
  readonly user: Row<"users">;
  readonly session: StoredSession;
  /** The user's confirmed factors, oldest first. */
  readonly factors: readonly Factor[];
  readonly situation: FactorSituation;
  /** Whether the user may change their account now. */
  readonly permission: ChangePermission;
}

/**
 * Reads the session of the browser and its user. Undefined if no user is signed in. A user who asked to delete the account
 * must first decide in a login whether to keep it.
 */
export async function readVisitor({ tenant }: AccountPlace, request: Request): Promise<BrowserSession | undefined> {
  const visitor = await readBrowserSession(tenant, readCookie(request, tenant.urls, sessionCookie(tenant)));
  return visitor === undefined || visitor.user.deletes_at !== null ? undefined : visitor;
}

/** Opens a section for the signed-in user. */
export async function openVisit(
  place: AccountPlace,
  section: AccountSectionName,
  { user, session }: BrowserSession,
): Promise<AccountVisit> {
  const { tenant } = place;
  const { situation, factors, permission } = await readOwnChange(tenant, { user, session });
  const isReadOnly = isReadOnlySection(tenant, section);
  return { tenant, place, section, isReadOnly, user, session, factors, situation, permission };
}
