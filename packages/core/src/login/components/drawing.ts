import type { ComponentChildren } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { PageBranding } from "../../branding/branding.ts";
import type { Problem } from "../step.ts";

/** How a tenant's pages look for somebody. */
export interface PageLook {
  readonly tenantName: string;
  readonly branding: PageBranding;
  /** What the pages say, in the person's language. */
  readonly say: Translate;
  /** What its footer leads to. */
  readonly links?: FooterLinks;
}

/** Where the footer of a page leads, as far as somebody said so. */
export interface FooterLinks {
  /** The tenant's help: a page, or an address for mail. */
  readonly support?: string;
  /** The client's terms of service. */
  readonly terms?: string;
  /** What the client does with data about people. */
  readonly privacy?: string;
}

/** What a page needs besides what it shows. */
export interface PageFrame extends PageLook {
  /** Where its forms go. */
  readonly action: string;
  /** Hidden fields of its forms: the login's state and the token against forged posts. */
  readonly hidden: { readonly [name: string]: string };
  /** The client that the person came from. */
  readonly clientName?: string;
  /** The nonce of the page's Content-Security-Policy. */
  readonly nonce: string;
}

/** What every page is drawn from. */
export interface Drawing {
  readonly frame: PageFrame;
  readonly say: Translate;
}

/** What the page of a step is drawn from. */
export interface StepDrawing extends Drawing {
  /** Why it is shown again. */
  readonly problem: Problem | undefined;
}

/** What is drawn of a page. */
export interface Drawn {
  /** As its heading says it, and the browser's title. */
  readonly title: string;
  /** The heading, where a part of it is drawn in its own way. */
  readonly heading?: ComponentChildren;
  readonly content: ComponentChildren;
  /** Stands where the tenant's mark would be. */
  readonly mark?: ComponentChildren;
  /** The page tells that something went wrong. */
  readonly problem?: boolean;
  /** The addresses of its pictures, for `img-src` of its Content-Security-Policy. */
  readonly pictures?: readonly (string | undefined)[];
}
