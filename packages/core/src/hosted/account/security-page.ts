import { formToken } from "../../login/form-token.ts";
import { pageResponse, type PageContent } from "../../login/page.ts";
import { phoneMisspelled, type Problem } from "../../login/step.ts";
import { addFactorStep } from "../../login/steps/add-factor/step.ts";
import { factorStep } from "../../login/steps/factor/step.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { securityPath } from "../../tenants/ticket-links.ts";
import type { AccountVisit } from "./visit.ts";

/** The view of the page, as it is in its URL and in the hidden fields of its forms. */
export interface SecurityView {
  /** The change that the user wants to make. Default: the overview. */
  readonly view?: string | undefined;
  /** The id of the factor to change. */
  readonly id?: string | undefined;
  /** The type of the factor to add. */
  readonly type?: string | undefined;
  /** The unconfirmed factor that the user is adding, see `new-factor.ts`. */
  readonly new?: string | undefined;
}

/** The parameters of the page that change with each response. */
export interface SecurityState extends SecurityView {
  /** The factor that the user chose to confirm the change with. */
  readonly use?: string | undefined;
  /** The phone that the user chose for the code. */
  readonly destination?: string | undefined;
  /** Present if a code was sent. */
  readonly sent?: string | undefined;
  /** The channel of the last code to the phone. */
  readonly channel?: string | undefined;
  readonly problem?: string | undefined;
  /** The right spelling of a rejected phone number, see `shown-correction.ts`. */
  readonly correction?: string | undefined;
  /** The change that was just made. */
  readonly done?: string | undefined;
}

/** Returns the URL of the page. It names the tenant, so that the page never changes to a session of another tenant. */
export function securityUrl({ urls, tenantParameter }: RequestTenant, state: SecurityState = {}): string {
  const url = new URL(urls.urlFor(securityPath));
  for (const [name, value] of Object.entries({ ...tenantParameter, ...state })) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Returns a page whose forms belong to the session of the visit. */
export async function securityPage(
  visit: AccountVisit,
  view: SecurityView,
  { hidden, ...content }: Pick<PageContent, "name" | "draw"> & { readonly hidden?: { readonly [name: string]: string } },
): Promise<Response> {
  const { tenant, user, session } = visit;
  const fields = Object.entries({ ...tenant.tenantParameter, view: view.view, id: view.id, type: view.type, new: view.new, ...hidden });
  return pageResponse(tenant, {
    ...content,
    action: tenant.urls.urlFor(securityPath),
    hidden: {
      csrf: await formToken(formOwner(session), user.user_id, tenant.random.token(9)),
      ...Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== undefined)),
    },
  });
}

/** Returns what the forms of a session belong to. Only the browser knows the cookie behind the hash. */
export function formOwner({ id, cookie_hash }: AccountVisit["session"]): { readonly id: string; readonly browser_hash: string | null } {
  return { id, browser_hash: cookie_hash };
}

const problems: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ...Object.entries(factorStep.problems),
  // Only the page that adds a factor has the right spelling of the number.
  ...Object.entries(addFactorStep.problems).filter(([name]) => name !== phoneMisspelled),
  ["name-missing", { text: "securityNameMissing", field: "name", error: ["invalid_request", "body: 'name' is missing"] }],
  ["conflict", { text: "securityConflict", error: ["conflict", "another request changed the factors, or the user has too many"] }],
]);

/** Returns the problem that the URL of the page names. */
export function problemNamed(name: string | undefined): Problem | undefined {
  return name === undefined ? undefined : problems.get(name);
}
