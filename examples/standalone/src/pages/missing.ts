import { html } from "./html.ts";
import { layOut, type Page } from "./layout.ts";

/** For an address with nothing behind it, or nothing for who asks. It does not tell which. */
export function missingPage(basePath: string): Page {
  return layOut({
    title: "Nothing here · Postern",
    body: html`<h1>There is nothing here</h1>
      <p class="lead">
        The inbox and the demo are for the machine that the server runs on, and for others where <code>DEV_PAGES</code> says so: see the
        README.
      </p>
      <p><a href="${basePath}">To the first page</a></p>`,
  });
}
