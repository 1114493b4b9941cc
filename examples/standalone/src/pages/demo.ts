import type { DemoView } from "../demo/demo.ts";
import type { ShownUser } from "../demo/first-user.ts";
import type { DemoSession } from "../demo/sessions.ts";
import { html, type Markup } from "./html.ts";
import { address, copiedList, moment } from "./parts.ts";

/** Renders the demo on the home page. @param action the base URL of the buttons' actions. */
export function demoSection({ notice, session, userinfo }: DemoView, action: string, user: ShownUser, hasProvider: boolean): Markup {
  return html`${
    notice === undefined
      ? undefined
      : html`<p class="notice${notice.isProblem ? " problem" : ""}" role="${notice.isProblem ? "alert" : "status"}">${notice.text}</p>`
  }
  ${session === undefined ? signedOut(action, user, hasProvider) : signedIn(session, userinfo, action)}`;
}

function signedOut(action: string, { email, password }: ShownUser, hasProvider: boolean): Markup {
  const rows = [{ name: "Email", id: "email", value: email }];
  return html`<section>
    <h2>Try the login</h2>
    <p>See what the users of your app see, and what your app receives. Sign in as the first user:</p>
    ${
      "shown" in password
        ? copiedList([...rows, { name: "Password", id: "password", value: password.shown }])
        : html`${copiedList(rows)}
            <p class="soft">${password.note}</p>`
    }
    <div class="buttons">
      ${button(`${action}sign-in?client=spa`, "Sign in", true)} ${button(`${action}sign-in?client=web`, "Use the web client")}
      ${button(`${action}sign-in?client=spa&mfa`, "Try a second factor")}
      ${hasProvider ? button(`${action}sign-in?client=social`, "Try a social login") : undefined}
    </div>
    <p class="soft">Passkeys work too: sign up with one, or sign in and add one to your account.</p>
  </section>`;
}

function signedIn(
  { client, claims, accessExpiresAt, refreshToken, usedTokens, refreshedAt }: DemoSession,
  userinfo: DemoView["userinfo"],
  action: string,
): Markup {
  return html`<section>
      <p class="soft">Signed in${client === "web" ? " with the web client" : ""} as</p>
      <h2 class="who">${address(nameOf(claims))}</h2>
      <div class="buttons">
        ${button(`${action}refresh`, "Refresh the tokens", true)} ${button(`${action}sign-in?client=${client}&silent`, "Sign in silently")}
        ${button(`${action}sign-in?client=${client}&mfa`, "Require a second factor")} ${button(`${action}sign-out`, "Sign out")}
      </div>
      <p><a href="${new URL("../../u/account/security", action).href}">Passkeys and second factors of your account</a></p>
      <dl>
        <dt>Access token</dt>
        <dd>${accessExpiresAt === undefined ? "has no expiry time" : html`valid until ${moment(accessExpiresAt)}`}</dd>
        <dt>Refresh token</dt>
        <dd>
          ${refreshToken === undefined ? "none" : html`<code>${ending(refreshToken)}</code>`}
          ${usedTokens.length === 0 ? undefined : html`<span class="soft">before: ${usedTokens.map((token) => html`<del><code>${ending(token)}</code></del> `)}</span>`}
        </dd>
        ${
          refreshedAt === undefined
            ? undefined
            : html`<dt>Refreshed</dt>
                <dd>${moment(refreshedAt)}</dd>`
        }
      </dl>
    </section>
    <section>
      <h2 id="claims">Claims of the ID token</h2>
      <pre class="wraps" aria-labelledby="claims">${JSON.stringify(claims, null, 2)}</pre>
    </section>
    <section>
      <h2 id="userinfo">The <code>/userinfo</code> response</h2>
      ${
        userinfo === undefined
          ? html`<p>It no longer accepts the access token: the token has expired, or the session was ended. Refresh the tokens.</p>`
          : html`<pre class="wraps" aria-labelledby="userinfo">${JSON.stringify(userinfo, null, 2)}</pre>`
      }
    </section>`;
}

function button(action: string, label: string, isMain = false): Markup {
  return html`<form method="post" action="${action}">
    <button type="submit" ${isMain ? html` class="main"` : undefined}>${label}</button>
  </form>`;
}

function nameOf({ name, email, sub }: DemoSession["claims"]): string {
  return [name, email, sub].find((value): value is string => typeof value === "string" && value !== "") ?? sub;
}

/** Returns the end of a token, which identifies it but cannot be used. */
function ending(token: string): string {
  return `…${token.slice(-8)}`;
}
