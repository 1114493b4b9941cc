import { redirectResponse } from "../../../http/html.ts";
import { leaveOrganization } from "../../../identity/organizations/leave-organization.ts";
import { organizationsOf } from "../../../identity/organizations/members.ts";
import type { Row } from "../../../store/schema.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawLeave, drawOrganizations } from "./page.tsx";

/** The section in which users see the organizations that they are members of, and leave them. */
export const organizationsSection: AccountSection = {
  name: "organizations",
  title: "organizationsTitle",
  summaries: {
    show: "Show the organizations of the signed-in user",
    change: "Remove the signed-in user from an organization",
  },
  overview,
  pages: { leave: leavePage },
  changes: { "leave-organization": leave },
};

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { tenant, user, isReadOnly } = visit;
  const found = await organizationsOf(tenant.data, user.user_id);
  return sectionPage(
    visit,
    {},
    {
      name: "account-organizations",
      hasExits: true,
      draw: (drawing) =>
        drawOrganizations(
          { ...drawing, problem: problemNamed(problem) },
          {
            organizations: found.map((organization) => ({
              id: organization.id,
              name: shownName(organization),
              leave: isReadOnly ? undefined : sectionUrl(visit, { view: "leave", id: organization.id }),
            })),
            hasLeft: done === "left",
          },
        ),
    },
  );
}

async function leavePage(visit: AccountVisit, { id }: AccountState): Promise<Response> {
  const { tenant, user } = visit;
  const organization = (await organizationsOf(tenant.data, user.user_id)).find((one) => one.id === id);
  if (organization === undefined) return redirectResponse(sectionUrl(visit));
  const screen = { name: shownName(organization), back: sectionUrl(visit) };
  return sectionPage(visit, { view: "leave", id }, { name: "account-organizations", draw: (drawing) => drawLeave(drawing, screen) });
}

async function leave(visit: AccountVisit, { view }: AccountForm): Promise<Response> {
  const { tenant, user, place } = visit;
  const hasLeft = await leaveOrganization(tenant, { user, client: place.client }, view.id ?? "");
  return redirectResponse(sectionUrl(visit, hasLeft ? { done: "left" } : {}));
}

function shownName({ name, display_name: shown }: Row<"organizations">): string {
  return shown === "" ? name : shown;
}
