import { redirectResponse } from "../../../http/html.ts";
import { readCookie } from "../../../http/cookies.ts";
import { findBrowserSession } from "../../../identity/sessions/session.ts";
import { day, defaultDeletionDays, requestDeletion } from "../../../identity/users/own-deletion.ts";
import type { Drawing } from "../../../login/components/drawing.ts";
import { sessionCookie } from "../../../login/cookies.ts";
import { pageResponse } from "../../../login/page.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import { findOne } from "../../../store/find-one.ts";
import type { RequestTenant } from "../../../tenants/tenant.ts";
import { accountUrl, type AccountPlace } from "../place.ts";
import type { AccountSection } from "../section.ts";
import { sectionPage, sectionUrl } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawConfirmDeletion, drawDeletion, drawScheduled } from "./page.tsx";

/** The section in which users delete their account. */
export const deletionSection: AccountSection = {
  name: "deletion",
  title: "deletionTitle",
  summaries: {
    show: "Show when the account of the signed-in user would be deleted, or will be deleted",
    change: "Request the deletion of the account of the signed-in user",
  },
  overview,
  pages: { confirm: confirmPage },
  changes: { "delete-account": deleteAccount },
  withoutVisitor: scheduledPage,
};

function readDays({ settings }: RequestTenant): number {
  return settings.account_page?.deletion_days ?? defaultDeletionDays;
}

/** Returns the day of the deletion in UTC, if the user requests it now. */
function possibleDate({ tenant }: AccountVisit): string {
  return toDate(tenant.now() + readDays(tenant) * day);
}

/** Formats a day as the login does, so that both show the same date. */
function toDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function overview(visit: AccountVisit): Promise<Response> {
  const confirm = visit.isReadOnly ? undefined : sectionUrl(visit, { view: "confirm" });
  const draw = (drawing: Drawing) => drawDeletion(drawing, { date: possibleDate(visit), confirm });
  return sectionPage(visit, {}, { name: "account-deletion", hasExits: true, draw });
}

function confirmPage(visit: AccountVisit): Promise<Response> {
  const shown = { account: nameOf(visit.user), back: sectionUrl(visit) };
  const draw = (drawing: Drawing) => drawConfirmDeletion(drawing, { date: possibleDate(visit), ...shown });
  return sectionPage(visit, { view: "confirm" }, { name: "account-deletion", draw });
}

async function deleteAccount(visit: AccountVisit): Promise<Response> {
  const { tenant, user, place } = visit;
  await requestDeletion(tenant, user, { days: readDays(tenant), client: place.client });
  return redirectResponse(accountUrl(place, "deletion"));
}

/**
 * The page after the request. All sessions have ended, so the page is about the user of the session that this browser had:
 * it shows the same also after a second click, and after the browser goes back.
 */
async function scheduledPage(place: AccountPlace, request: Request): Promise<Response | undefined> {
  const { tenant } = place;
  const session = await findBrowserSession(tenant.data, readCookie(request, tenant.urls, sessionCookie(tenant)) ?? "");
  const user = session && (await findOne(tenant.data.users, { user_id: session.user_id }, ["deletes_at"]));
  const at = user?.deletes_at ?? null;
  if (at === null) return undefined;
  return pageResponse(tenant, {
    name: "account-deletion",
    client: place.client,
    draw: (drawing) => drawScheduled(drawing, { date: toDate(at), returnLink: place.back }),
  });
}
