import { formToken } from "../../login/form-token.ts";
import { pageResponse, type PageContent } from "../../login/page.ts";
import { phoneMisspelled, type Problem } from "../../login/step.ts";
import { newPasswordProblems } from "../../login/new-password.ts";
import { providerProblems } from "../../login/steps/provider/continue-with.ts";
import { addFactorStep } from "../../login/steps/add-factor/step.ts";
import { factorStep } from "../../login/steps/factor/step.ts";
import { usernameTaken } from "../../login/steps/problems.ts";
import { claimMembers } from "../../model/users/standard-claims.ts";
import { AccountExits } from "./pages/exits.tsx";
import { accountUrl } from "./place.ts";
import { shownSections } from "../../tenants/account-sections.ts";
import type { AccountVisit } from "./visit.ts";

/** The view of a section, as it is in its URL and in the hidden fields of its forms. */
export interface AccountView {
  /** The change that the user wants to make. Default: the overview. */
  readonly view?: string | undefined;
  /** The id of the record to change. */
  readonly id?: string | undefined;
  /** The type of the factor to add. */
  readonly type?: string | undefined;
  /** The unconfirmed factor that the user is adding, see `new-factor.ts`. */
  readonly new?: string | undefined;
}

/** The parameters of a section that change with each response. */
export interface AccountState extends AccountView {
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
  /** The codes of the rules that a rejected password does not satisfy, separated by spaces. */
  readonly unkept?: string | undefined;
  /** The change that was just made. */
  readonly done?: string | undefined;
}

/** Returns the URL of the section that the user visits. */
export function sectionUrl({ place, section }: AccountVisit, state: AccountState = {}): string {
  return accountUrl(place, section, state);
}

/** The content of a page of a section. */
type SectionContent = Pick<PageContent, "name" | "draw" | "redirectsAfterSubmit"> & {
  readonly hidden?: { readonly [name: string]: string };
  /** Whether the page ends with the links to the list of sections and to the application. Default false. */
  readonly hasExits?: true;
};

/** Returns a page whose forms belong to the session of the visit. */
export async function sectionPage(
  visit: AccountVisit,
  view: AccountView,
  { hidden, hasExits, ...content }: SectionContent,
): Promise<Response> {
  const { tenant, place, section, user, session } = visit;
  const fields = Object.entries({ ...place.parameters, view: view.view, id: view.id, type: view.type, new: view.new, ...hidden });
  const action = new URL(accountUrl(place, section));
  action.search = "";
  const { locale } = claimMembers(user);
  return pageResponse(tenant, {
    ...content,
    draw: hasExits === undefined ? content.draw : (drawing) => withExits(visit, drawing, content.draw(drawing)),
    client: place.client,
    uiLocales: locale,
    action: action.href,
    hidden: {
      csrf: await formToken(formOwner(session), user.user_id, tenant.random.token(9)),
      ...Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== undefined)),
    },
  });
}

type Draw = PageContent["draw"];

function withExits({ tenant, place }: AccountVisit, drawing: Parameters<Draw>[0], parts: ReturnType<Draw>): ReturnType<Draw> {
  const home = shownSections(tenant).length > 1 ? accountUrl(place) : undefined;
  return {
    ...parts,
    content: (
      <>
        {parts.content}
        <AccountExits {...drawing} home={home} back={place.back} />
      </>
    ),
  };
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
  ...Object.entries(newPasswordProblems),
  ["username-taken", usernameTaken],
  ["username-invalid", { text: "usernameMalformed", field: "username", error: ["invalid_request", "body: 'username' is not allowed"] }],
  ["email-invalid", { text: "emailMalformed", field: "email", error: ["invalid_request", "body: 'email' must be an email address"] }],
  ["email-same", { text: "addressesSame", field: "email", error: ["invalid_request", "body: 'email' is the current email address"] }],
  ["phone-same", { text: "addressesSame", field: "phone", error: ["invalid_request", "body: 'phone' is the current phone number"] }],
  ["outdated", { text: "accountOutdated", error: ["conflict", "another request changed the account"] }],
  ["link-refused", { text: "linkedRefused", error: ["conflict", "the account at the provider belongs to another user"] }],
  ["provider-declined", providerProblems["provider-declined"]],
  ["provider-failed", providerProblems["provider-failed"]],
  ["value-invalid", { text: "profileInvalid", error: ["invalid_request", "a value is not valid"] }],
  ["change-denied", { text: "changeDenied", error: ["access_denied", "an action of the service denied the change"] }],
  ["conflict", { text: "securityConflict", error: ["conflict", "another request changed the account, or the user has too many factors"] }],
]);

/** Returns the problem that the URL of the page names. */
export function problemNamed(name: string | undefined): Problem | undefined {
  return name === undefined ? undefined : problems.get(name);
}
