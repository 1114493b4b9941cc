import type { ComponentChildren } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { PageBranding } from "../../branding/branding.ts";
import type { Problem } from "../step.ts";

/** The appearance of a tenant's pages for a request. */
export interface PageAppearance {
  readonly tenantName: string;
  readonly branding: PageBranding;
  /** The texts of the pages, in the visitor's language. */
  readonly t: Translate;
  /** The links of the footer. */
  readonly links?: FooterLinks;
}

/** The links of a page's footer, as far as they are configured. */
export interface FooterLinks {
  /** The tenant's support: a web page or a mail address. */
  readonly support?: string;
  /** The client's terms of service. */
  readonly terms?: string;
  /** The client's privacy policy. */
  readonly privacy?: string;
}

/** The frame of a page around its content. */
export interface PageFrame extends PageAppearance {
  /** The URL that its forms post to. */
  readonly action: string;
  /** Hidden fields of its forms: the login's `state` and the CSRF token. */
  readonly hidden: { readonly [name: string]: string };
  /** The client that the visitor came from. */
  readonly clientName?: string;
  /** The nonce of the page's Content-Security-Policy. */
  readonly nonce: string;
}

/** The arguments for drawing any page. */
export interface Drawing {
  readonly frame: PageFrame;
  readonly t: Translate;
}

/** The arguments for drawing the page of a step. */
export interface StepDrawing extends Drawing {
  /** Why the step is shown again. */
  readonly problem: Problem | undefined;
}

/** The drawn parts of a page. */
export interface PageParts {
  /** The text of the heading, and of the browser's title. */
  readonly title: string;
  /** The heading, if a part of it has its own markup. */
  readonly heading?: ComponentChildren;
  readonly content: ComponentChildren;
  /** Replaces the tenant's mark. */
  readonly mark?: ComponentChildren;
  /** The page reports a problem. */
  readonly problem?: boolean;
  /** The URLs of its images, for `img-src` of its Content-Security-Policy. */
  readonly pictures?: readonly (string | undefined)[];
}
