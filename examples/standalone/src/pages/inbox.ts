import type { ReceivedMessage } from "../inbox.ts";
import { document, html, moment, type Markup, type Page } from "./page.ts";

/** All messages, the newest first. */
export function inboxPage(messages: readonly ReceivedMessage[], basePath: string): Page {
  return document(
    "Inbox · Postern",
    html`<div class="row">
        <h1>Inbox</h1>
        <p><a href="${basePath}dev/inbox">Refresh</a></p>
      </div>
      <p class="lead">
        What this server would have sent, until it stops. Whoever reaches this page can use the codes and links on it.
        <a href="${basePath}">Back</a>
      </p>
      ${messages.length === 0 ? html`<section><p class="soft">No message yet.</p></section>` : messages.map(article)}`,
  );
}

function article({ to, subject, text, code, link, at }: ReceivedMessage): Markup {
  return html`<article>
    <div class="row">
      <h2>${subject}</h2>
      <span class="soft">${moment(at)}</span>
    </div>
    <p class="soft">to ${to}</p>
    ${code === undefined ? undefined : html`<p class="code">${code}</p>`}
    ${link === undefined ? undefined : html`<p><a class="button" href="${/^https?:/.test(link) ? link : "#"}" rel="noreferrer">Open the link</a></p>`}
    <pre class="text">${text}</pre>
  </article>`;
}
