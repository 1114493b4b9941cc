import type { Session } from "@postern/app";
import type { ComponentChildren } from "preact";
import type { ConsoleLinks } from "./console-links.ts";
import type { AdminFinding } from "./admin-options.ts";
import type { ManagementClient } from "./management-client.ts";

/** A request of a signed-in user to a screen. */
export interface ScreenRequest {
  readonly url: URL;
  /** The decoded parameters of the path. */
  readonly params: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly links: ConsoleLinks;
  readonly api: ManagementClient;
  readonly session: Session;
  /** The tenant that the request is about. */
  readonly tenantId: string;
  /** Whether the URLs name a tenant, so that the user can choose another one. */
  readonly isControlPlane: boolean;
  /** The scopes of the user's access token. Only for what a page shows: the Management API decides. */
  readonly scopes: ReadonlySet<string>;
  /** The value of the hidden field that every form contains. */
  readonly formToken: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the browser's script requests data instead of a page. */
  readonly wantsJson: boolean;
  /** The origin of the public URL of the console. */
  readonly origin: string;
  /** The issuer of the installation. */
  readonly issuer: string;
  /** Returns the findings about the setup; undefined if this user does not see them. */
  findings(): Promise<readonly AdminFinding[] | undefined>;
}

/** The fields of a submitted form. */
export type SubmittedForm = URLSearchParams;

/** The content of a page. */
export interface ScreenPage {
  readonly title: string;
  /** The first-level item of the navigation that the page belongs to. */
  readonly section?: Section;
  /** The links above the title, from the first level on. The page itself is not one of them. */
  readonly trail?: readonly TrailLink[];
  /** The id of the shown record, with a button to copy it. */
  readonly recordId?: string;
  /** The badges next to the title, such as the state of the record. */
  readonly badges?: ComponentChildren;
  /** The primary action, at the end of the title bar. */
  readonly actions?: ComponentChildren;
  readonly tabs?: readonly PageTab[];
  readonly body: ComponentChildren;
  /** Default: 200. */
  readonly status?: number;
}

/** A first-level item of the navigation. */
export type Section = "home" | "users" | "organizations" | "roles" | "apis" | "connections" | "apps" | "logs" | "settings";

/** A link of a breadcrumb. */
export interface TrailLink {
  readonly text: string;
  readonly href: string;
}

/** A tab. Each one has a URL. */
export interface PageTab extends TrailLink {
  readonly isCurrent: boolean;
}

/** The result of a screen: a page, or a response such as a redirect or data. */
export type ScreenResult = ScreenPage | Response;

/** A screen of the console. */
export interface ConsoleScreen {
  /** The path below the tenant, such as `/users/:id`. */
  readonly path: string;
  /** Whether the screen requires that the user signed in less than ten minutes ago. Default: false. */
  readonly needsRecentSignIn?: boolean;
  /**
   * Whether the response is shown in a frame of another page. The browser displays no page of the console and no
   * sign-in there, so an expired session is reported as text. Default: false.
   */
  readonly isFramed?: boolean;
  /** Whether `show` uses up what it shows, so that a HEAD request is rejected with 405. Default: false. */
  readonly showsOnce?: boolean;
  show(request: ScreenRequest): Promise<ScreenResult> | ScreenResult;
  /** Handles a submitted form. Its origin and its token are already checked. */
  submit?(request: ScreenRequest, form: SubmittedForm): Promise<ScreenResult>;
}

/** The error for a page or a record that does not exist. */
export class ScreenNotFound extends Error {
  override readonly name = "ScreenNotFound";
}

/** Redirects the browser after a submitted form. @param path a path of {@link ConsoleLinks}. */
export function redirectTo(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path } });
}
