import type { PasswordRule } from "../domain/passwords/strength.ts";
import type { Catalogues } from "../locales/catalogues.ts";

/**
 * What a hosted page shows, as data: the JSON flow API returns it, the pages draw it.
 * Texts that depend on the person's language are not in it; the pages find them by the names here.
 */
export type Screen =
  | IdentifierScreen
  | PasswordScreen
  | ConsentScreen
  | SelectAccountScreen
  | SelectOrganizationScreen
  | InvitationScreen
  | CreateAccountScreen
  | { readonly name: "logged-out" }
  | { readonly name: "confirm-logout" }
  | ErrorScreen;

/** Asks who somebody is. */
export interface IdentifierScreen {
  readonly name: "identifier";
  /** What was typed or hinted before. */
  readonly identifier?: string;
  /** What accounts are known by here. */
  readonly kinds: readonly ("email" | "username" | "phone")[];
  readonly problem?: FlowProblem;
}

/** Asks for the password of the account that was named. */
export interface PasswordScreen {
  readonly name: "password";
  readonly identifier: string;
  readonly problem?: FlowProblem;
}

/** Asks whether a third-party client may have what it asks for. */
export interface ConsentScreen {
  readonly name: "consent";
  readonly client: { readonly name: string; readonly logoUri?: string };
  readonly account: string;
  /** The API's name, where it is for an API. */
  readonly audience?: string;
  readonly scopes: readonly { readonly value: string; readonly description?: string }[];
}

/** Asks whether to go on as the person who is signed in, or as another. */
export interface SelectAccountScreen {
  readonly name: "select-account";
  readonly accounts: readonly { readonly name: string; readonly email?: string; readonly picture?: string }[];
}

/** Asks as a member of which organization the person goes on. */
export interface SelectOrganizationScreen {
  readonly name: "select-organization";
  readonly account: string;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly logoUrl?: string }[];
}

/** Asks whether to join an organization, or to sign in as the one who is invited. */
export interface InvitationScreen {
  readonly name: "invitation";
  readonly organization: { readonly name: string; readonly logoUrl?: string };
  readonly inviter: string;
  /** The address that is invited. */
  readonly email: string;
  /** Who is signed in. */
  readonly account: string;
  /** Whether that is who is invited. */
  readonly invited: boolean;
}

/** Asks somebody who is invited and has no account yet for the password of one. */
export interface CreateAccountScreen {
  readonly name: "create-account";
  readonly organization: { readonly name: string; readonly logoUrl?: string };
  readonly inviter: string;
  /** The address that is invited, and that the account will have. */
  readonly email: string;
  /** What the password must keep to. */
  readonly rules: readonly PasswordRule[];
  readonly problem?: FlowProblem;
}

/** Says that it cannot go on. `code` is stable, for support and for scripts. */
export interface ErrorScreen {
  readonly name: "error";
  readonly code: string;
  readonly description: string;
  readonly requestId: string;
}

/** Why a screen is shown again. */
export type FlowProblem =
  | "identifier-missing"
  | "password-missing"
  | "wrong-credentials"
  | "too-many-attempts"
  | "blocked"
  | "try-again"
  | "password-too-weak"
  | "password-too-common"
  | "password-personal";

/** How a tenant's pages look for somebody. */
export interface PageLook {
  readonly tenantName: string;
  readonly branding: PageBranding;
  /** A BCP 47 tag of a language that the pages speak. */
  readonly locale: string;
  /** What the pages say, in each language. */
  readonly catalogues: Catalogues;
}

/** What a page needs besides its screen. */
export interface PageFrame extends PageLook {
  readonly screen: Screen;
  /** Where its forms go. */
  readonly action: string;
  /** Hidden fields of its forms: the login's state and the token against forged posts. */
  readonly hidden: { readonly [name: string]: string };
  /** The client that the person came from. */
  readonly clientName?: string;
  /** The nonce of the page's Content-Security-Policy. */
  readonly nonce: string;
}

/** How the tenant, or the organization that somebody signs in to, wants the pages to look. Colors are CSS hex colors; anything else is not used. */
export interface PageBranding {
  /** Whose looks these are, where they are not the tenant's. */
  readonly name?: string;
  readonly logoUrl?: string;
  readonly faviconUrl?: string;
  readonly primaryColor?: string;
  readonly pageBackground?: string | Gradient;
}

/** Two colors, and the degrees of the line from one to the other: 0 leads up, 90 to the right. */
export interface Gradient {
  readonly start: string;
  readonly end: string;
  readonly angle: number;
}
