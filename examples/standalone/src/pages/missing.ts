import { html } from "./html.ts";
import { layOut, type Page } from "./layout.ts";

/** Renders the page for an unknown path, or for a page that the visitor may not see. It does not reveal which. */
export function missingPage(basePath: string): Page {
  return layOut({
    title: "Page not found · Postern",
    body: html`<h1>Page not found</h1>
      <p class="lead">
        The inbox and the demo are only available on the machine of the server, unless <code>DEV_PAGES</code> is public: see the README.
      </p>
      <p><a href="${basePath}">Go to the home page</a></p>`,
  });
}
