import { html, type Insertable, type Markup } from "./html.ts";
import { copyScript } from "./scripts.ts";
import { styleSheet } from "./style.ts";

/** A page, given the nonce that its style and its scripts carry. */
export type Page = (nonce: string) => string;

/** What differs from page to page. */
export interface PageParts {
  readonly title: string;
  readonly body: Markup;
  /** What the head holds besides. */
  readonly head?: Insertable;
  /** A script of this page alone, after the one that all pages share. */
  readonly script?: (nonce: string) => Markup;
}

/** A whole document: every page of this example is one, with the same style. */
export function layOut({ title, body, head, script }: PageParts): Page {
  return (nonce) =>
    `<!DOCTYPE html>${
      html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          ${head} ${styleSheet(nonce)}
        </head>
        <body>
          <main>${body}</main>
          <p id="said" class="unseen" role="status"></p>
          ${copyScript(nonce)} ${script?.(nonce)}
        </body>
      </html> `.text
    }`;
}
