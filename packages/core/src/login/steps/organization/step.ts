import * as z from "zod";
import { organizationsOf } from "../../../identity/organizations/members.ts";
import { PosternError } from "../../../errors.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";
import { enter } from "./enter.ts";

const definition = describeStep({
  name: "select-organization",
  summary: "Requests the organization that the user signs in to",
  screenFields: {
    account: z.string().meta({ description: "The signed-in user" }),
    organizations: z
      .array(
        z.strictObject({
          id: z.string().meta({ description: "The value for `select-organization`" }),
          name: z.string().meta({ description: "The display name" }),
          uniqueName: z.string().exactOptional().meta({ description: "Distinguishes organizations with the same `name`" }),
          logoUrl: z.string().exactOptional().meta({ description: "The URL of the logo" }),
        }),
      )
      .meta({ description: "The organizations of the user" }),
  },
  problems: {},
  silentError: ["interaction_required", "the user must choose an organization first"],
  actions: {
    "select-organization": action({
      summary: "Sign in to an organization",
      fields: { organization: z.string().max(64).exactOptional().meta({ description: "The `id` of one of `organizations`" }) },
      isConsent: true,
      // The step runs again and checks the membership. An organization that the user is not a member of is ignored.
    })((_, { organization: id = "" }) => ({ change: (progress) => ({ ...progress, organization_id: id }) })),
    "other-account": otherAccount,
  },
});

export type OrganizationScreen = z.output<typeof definition.screen>;

/**
 * Asks which organization to sign in to. The choice belongs to the request, so that two tabs with the same session can
 * use different organizations.
 */
export const organization = step(definition, {
  requiresSession: true,
  async decide(interaction, { person }) {
    const { tenant, request, progress } = interaction;
    if (request.organization !== undefined) {
      const named = await tenant.organization(request.organization.id);
      if (named === undefined) throw new PosternError("access_denied", "the organization was deleted");
      return enter(interaction, person, named);
    }
    if (request.choose_organization !== true) return passStep;
    const all = await organizationsOf(tenant.data, person.user.user_id);
    const chosen = all.find(({ id }) => id === progress.organization_id) ?? (all.length === 1 ? all[0] : undefined);
    if (chosen !== undefined) return enter(interaction, person, chosen);
    if (all.length === 0) throw new PosternError("access_denied", "the user is not a member of any organization");
    return showScreen(toScreen(nameOf(person.user), all));
  },
  async revisit({ tenant, request }, { person }) {
    if (request.organization !== undefined || request.choose_organization !== true) return undefined;
    const all = await organizationsOf(tenant.data, person.user.user_id);
    return all.length > 1 ? toScreen(nameOf(person.user), all) : undefined;
  },
});

function toScreen(account: string, all: Awaited<ReturnType<typeof organizationsOf>>): OrganizationScreen {
  const shown = all.map((row) => ({ row, look: organizationLook(row) }));
  const counts = new Map<string, number>();
  for (const { look } of shown) counts.set(comparable(look.name), (counts.get(comparable(look.name)) ?? 0) + 1);
  const organizations = shown.map(({ row, look }) => ({
    id: row.id,
    ...look,
    ...((counts.get(comparable(look.name)) ?? 0) > 1 && row.name !== look.name && { uniqueName: row.name }),
  }));
  // The names are in natural order, which ignores case and sorts 2 before 10.
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const sorted = organizations.toSorted((a, b) => compare(a.name, b.name) || compare(a.uniqueName ?? "", b.uniqueName ?? ""));
  return { name: "select-organization", account, organizations: sorted };
}

/** Returns a name for comparison, without differences in case and surrounding spaces. */
function comparable(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
