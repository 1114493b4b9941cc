import type * as z from "zod";
import type { AccountSectionName } from "../../model/tenant/account-page.ts";
import type { AccountPlace } from "./place.ts";
import type { AccountForm } from "./section-form.ts";
import type { AccountState } from "./section-page.tsx";
import type { AccountVisit } from "./visit.ts";

/** The name of the text with the title of a section. */
type SectionTitle =
  | "profileTitle"
  | "addressesTitle"
  | "profileUsername"
  | "passwordLabel"
  | "securityTitle"
  | "sessionsTitle"
  | "appsTitle"
  | "linkedTitle"
  | "organizationsTitle"
  | "languageTitle"
  | "eventsTitle"
  | "exportTitle"
  | "deletionTitle";

/** A page of a section. Viewing a page changes nothing. */
type SectionView = (visit: AccountVisit, state: AccountState) => Promise<Response> | Response;

/** Handles a submitted form. @param request the request with the form. */
type SectionAction = (visit: AccountVisit, form: AccountForm, request: Request) => Promise<Response>;

/** A section of the account page. A row of the table in `sections.ts`. */
export interface AccountSection {
  /** Also the last part of its path, and its name in the tenant setting `account_page`. */
  readonly name: AccountSectionName;
  readonly title: SectionTitle;
  /** What a GET and a POST do, for the API documents. */
  readonly summaries: { readonly show: string; readonly change: string };
  /** The fields of its forms, in addition to those of every section. */
  readonly fields?: z.ZodRawShape;
  readonly overview: SectionView;
  /** The pages of a change, by the value of `view`. Each requires that the user may change the account now. */
  readonly pages?: { readonly [view: string]: SectionView };
  /** The actions that require it as well. */
  readonly changes?: { readonly [action: string]: SectionAction };
  /** The actions that make the account safer or change nothing, so that they are always possible. */
  readonly actions?: { readonly [action: string]: SectionAction };
  /** Returns a page for a visitor who is not signed in. If it returns undefined, the visitor signs in. */
  readonly withoutVisitor?: (place: AccountPlace, request: Request) => Promise<Response | undefined>;
  /** Returns the problem to show if an action is no longer permitted. Default: none. */
  readonly problemOfRefused?: (visit: AccountVisit, action: string) => string | undefined;
}
