import { html, type Insertable, type Markup } from "./html.ts";
import { copyScript } from "./scripts.ts";
import { styleElement } from "./style.ts";

/** Renders a page. The nonce allows its style and scripts. */
export type Page = (nonce: string) => string;

/** The parts of a page. */
interface PageParts {
  readonly title: string;
  readonly body: Markup;
  /** Additional elements of the head. */
  readonly head?: Insertable;
  /** An additional script for this page, after the script that all pages share. */
  readonly script?: (nonce: string) => Markup;
}

/** Renders a complete document with the style that all pages share. */
export function layOut({ title, body, head, script }: PageParts): Page {
  return (nonce) =>
    `<!DOCTYPE html>${
      html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          ${head} ${styleElement(nonce)}
        </head>
        <body>
          <main>${body}</main>
          <p id="said" class="unseen" role="status"></p>
          ${copyScript(nonce)} ${script?.(nonce)}
        </body>
      </html> `.text
    }`;
}
