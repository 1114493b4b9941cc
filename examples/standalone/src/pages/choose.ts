import type { DemoProviderUser } from "../demo/provider.ts";
import { html } from "./html.ts";
import { layOut, type Page } from "./layout.ts";

/**
 * Renders the user selection of the demo's identity provider.
 * @param authorization the parameters that the form sends with the choice.
 */
export function choosePage(
  users: readonly DemoProviderUser[],
  action: string,
  authorization: { readonly redirectUri: string; readonly state: string; readonly nonce: string; readonly challenge: string },
): Page {
  const fields = {
    client_id: "postern",
    redirect_uri: authorization.redirectUri,
    state: authorization.state,
    nonce: authorization.nonce,
    code_challenge: authorization.challenge,
  };
  return layOut({
    title: "Demo ID",
    body: html`<h1>Demo ID</h1>
      <p class="lead">Replaces Google, GitHub or your company’s directory in this demo. Choose a user:</p>
      <form method="post" action="${action}">
        ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <section>
          <p class="soft">This provider has no passwords. It runs on your machine, only for trying things out.</p>
          <ul>
            ${users.map(
              ({ sub, name, email }) =>
                html`<li><button class="button" name="sub" value="${sub}">${name}</button> <span class="soft">${email}</span></li>`,
            )}
          </ul>
        </section>
        <p><button class="button" name="sub" value="">Go back</button></p>
      </form> `,
  });
}
