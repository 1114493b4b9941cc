import type { ComponentChildren } from "preact";
import * as z from "zod";
import { StateBadge, type StateLevel } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownTenantSchema, type ShownTenant } from "../resources.ts";
import type { ScreenPage, ScreenRequest } from "../screen.ts";

const texts = consoleTexts.tenants;

/** Returns the path of a screen about a tenant of the control plane, which is outside the tenants. */
export function tenantPath({ links }: Pick<ScreenRequest, "links">, segments: readonly string[], done?: string): string {
  return links.toRoot(["tenants", ...segments].map(encodeURIComponent).join("/"), done === undefined ? {} : { done });
}

/** Reads the tenant that the path names. */
export async function readTenant({ api, params: { id = "" } }: ScreenRequest): Promise<ShownTenant> {
  return z.looseObject({ tenant: shownTenantSchema }).parse(await api.call("GET", ["tenants", id])).tenant;
}

/** Returns a page about a tenant. */
export function tenantPage(
  request: ScreenRequest,
  tenant: ShownTenant,
  body: ComponentChildren,
  { title = tenant.name ?? tenant.id, actions, badges }: Partial<Pick<ScreenPage, "title" | "actions" | "badges">> = {},
): ScreenPage {
  const list = { text: texts.title, href: tenantPath(request, []) };
  const isRecord = title === (tenant.name ?? tenant.id);
  const record = { text: tenant.name ?? tenant.id, href: tenantPath(request, [tenant.id]) };
  return {
    title,
    trail: isRecord ? [list] : [list, record],
    recordId: tenant.id,
    badges,
    ...(actions !== undefined && { actions }),
    body,
  };
}

/** An operation on a tenant. */
export const shownOperationSchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  error: z.string().exactOptional(),
  created_at: z.string(),
  finished_at: z.string().exactOptional(),
});

const levels: { readonly [state: string]: StateLevel } = { succeeded: "good", failed: "bad" };

/** Renders the state of an operation or of a step. */
export function OperationState({ state }: { readonly state: string }) {
  return <StateBadge level={levels[state] ?? "plain"}>{texts.states[state] ?? state}</StateBadge>;
}
