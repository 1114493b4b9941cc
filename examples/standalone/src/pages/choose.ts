import type { Person } from "../demo/provider.ts";
import { html } from "./html.ts";
import { layOut, type Page } from "./layout.ts";

/** Where somebody says who they are at the demo's identity provider. @param asked comes back with the choice. */
export function choosePage(
  people: readonly Person[],
  action: string,
  asked: { readonly redirectUri: string; readonly state: string; readonly nonce: string; readonly challenge: string },
): Page {
  const fields = {
    client_id: "postern",
    redirect_uri: asked.redirectUri,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: asked.challenge,
  };
  return layOut({
    title: "Demo ID",
    body: html`<h1>Demo ID</h1>
      <p class="lead">Stands in for Google, GitHub or your company’s directory. Who are you?</p>
      <form method="post" action="${action}">
        ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <section>
          <p class="soft">There are no passwords here: this provider runs on your own machine, for trying things out.</p>
          <ul>
            ${people.map(
              ({ sub, name, email }) =>
                html`<li><button class="button" name="sub" value="${sub}">${name}</button> <span class="soft">${email}</span></li>`,
            )}
          </ul>
        </section>
        <p><button class="button" name="sub" value="">Go back</button></p>
      </form> `,
  });
}
