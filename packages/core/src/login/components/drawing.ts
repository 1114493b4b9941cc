import type { ComponentChildren } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { PageBranding } from "../../branding/branding.ts";
import type { Problem } from "../step.ts";
import type { AcceptedCredentials } from "./signal-script.ts";

/** The appearance of a tenant's pages in one request. */
export interface PageAppearance {
  readonly tenantName: string;
  readonly branding: PageBranding;
  /** The texts of the pages, in the visitor's language. */
  readonly t: Translate;
  /** The links in the footer. */
  readonly links?: FooterLinks;
}

/** The links in a page's footer. A link that is not configured is omitted. */
export interface FooterLinks {
  /** The URL of the tenant's support: a web page, or a `mailto:` link. */
  readonly support?: string;
  /** The URL of the client's terms of service. */
  readonly terms?: string;
  /** The URL of the client's privacy policy. */
  readonly privacy?: string;
}

/** The data for the frame around the content of a page. */
export interface PageFrame extends PageAppearance {
  /** The URL that the page's forms post to. */
  readonly action: string;
  /**
   * The hidden fields in the page's forms: the `state` of the login session and the form token, which protects against
   * CSRF.
   */
  readonly hidden: { readonly [name: string]: string };
  /** The name of the client that the visitor came from. Omitted without a client, or if no administrator checked the name. */
  readonly clientName?: string;
  /** The nonce in the page's Content-Security-Policy. */
  readonly nonce: string;
  /** The credentials of the signed-in user. Omitted if no user is signed in, or if the user never had one. */
  readonly accepted?: AcceptedCredentials;
}

/** The arguments of every function that draws a page. */
export interface Drawing {
  readonly frame: PageFrame;
  readonly t: Translate;
}

/** The arguments of a function that draws the page of a step. */
export interface StepDrawing extends Drawing {
  /** Why the step is shown again. */
  readonly problem: Problem | undefined;
}

/** The parts of a page that the frame surrounds. */
export interface PageParts {
  /** The text of the heading and of the document title. */
  readonly title: string;
  /** The heading, if a part of it needs markup. Default: `title`. */
  readonly heading?: ComponentChildren;
  readonly content: ComponentChildren;
  /** The element that replaces the tenant's logo above the heading. */
  readonly mark?: ComponentChildren;
  /** Whether the page reports a problem. Default false. */
  readonly problem?: boolean;
  /** The URLs of the images in the content, for `img-src` in the page's Content-Security-Policy. */
  readonly pictures?: readonly (string | undefined)[];
}
