import type { ReceivedMessage } from "../inbox.ts";
import { html, type Insertable, type Markup } from "./html.ts";
import { layOut, type Page } from "./layout.ts";
import { address, copyButton, linkOut, moment, withLinks } from "./parts.ts";
import { inboxScript } from "./scripts.ts";

/** Renders all messages, the newest first. The page polls for a newer version. */
export function inboxPage(messages: readonly ReceivedMessage[], version: string, basePath: string): Page {
  // Notices float above the page, so that the messages do not move when a notice appears.
  return layOut({
    title: "Inbox · Postern",
    head: html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`,
    body: html`<p><a href="${basePath}">← Postern</a></p>
      <h1>Inbox</h1>
      <p class="lead">
        The messages that this server would have sent since it started, the newest first. New messages appear automatically. Every visitor
        of this page can use its codes and links.
      </p>
      <p id="trouble" class="floating notice problem" role="alert" hidden>The server does not respond. This page keeps trying.</p>
      <a id="news" class="floating news" href="#" hidden></a>
      ${messageList(messages, version)}`,
    script: inboxScript,
  });
}

/**
 * Renders the part of the page that changes. The script requests only this part, because the browser would reject a
 * style with another nonce.
 */
export function messageList(messages: readonly ReceivedMessage[], version: string): Markup {
  return html`<div id="messages" data-version="${version}">
    ${messages.length === 0 ? html`<section id="empty"><p class="soft">No message yet.</p></section>` : messages.map(article)}
  </div>`;
}

function article({ id, channel, to, subject, text, code, link, at }: ReceivedMessage): Markup {
  return html`<article id="${id}" aria-labelledby="${id}-subject">
    <div class="row">
      <h2 id="${id}-subject"><bdi>${headingOf({ channel, subject })}</bdi></h2>
      <span class="soft">${moment(at)}</span>
    </div>
    <p class="soft">to <bdi>${address(to)}</bdi></p>
    ${code === undefined ? undefined : codeToCopy(code, `${id}-code`)} ${link === undefined ? undefined : button(link)}
    <pre class="text" dir="auto">${withLinks(text)}</pre>
  </article>`;
}

function headingOf({ channel, subject }: Pick<ReceivedMessage, "channel" | "subject">): string {
  if (channel === "email") return subject;
  return channel === "sms" ? "Text message" : "Call";
}

function codeToCopy(code: string, id: string): Markup {
  return html`<p class="copied"><strong id="${id}" class="code">${code}</strong> ${copyButton(id, "the code")}</p>`;
}

function button(link: string): Insertable {
  const opening = linkOut(link, "Open the link", "button main");
  return opening && html`<div class="buttons">${opening}</div>`;
}
