import type { ReceivedMessage } from "../inbox.ts";
import { html, type Insertable, type Markup } from "./html.ts";
import { layOut, type Page } from "./layout.ts";
import { address, copyButton, linkOut, moment, withLinks } from "./parts.ts";
import { inboxScript } from "./scripts.ts";

/** All messages, the newest first. The page asks again for those of another version than it shows. */
export function inboxPage(messages: readonly ReceivedMessage[], version: string, basePath: string): Page {
  // What floats takes no room, so that nothing moves under a reader's hand as it comes and goes.
  return layOut({
    title: "Inbox · Postern",
    head: html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`,
    body: html`<p><a href="${basePath}">← Postern</a></p>
      <h1>Inbox</h1>
      <p class="lead">
        What this server would have sent since it started, the newest first. New messages appear by themselves. Whoever reaches this page
        can use the codes and links on it.
      </p>
      <p id="trouble" class="floating notice problem" role="alert" hidden>The server does not answer. This page keeps trying.</p>
      <a id="news" class="floating news" href="#" hidden></a>
      ${messageList(messages, version)}`,
    script: inboxScript,
  });
}

/** The part of the page that changes. A script parses it without what the page has besides: a style with another nonce would be refused. */
export function messageList(messages: readonly ReceivedMessage[], version: string): Markup {
  return html`<div id="messages" data-version="${version}">
    ${messages.length === 0 ? html`<section id="empty"><p class="soft">No message yet.</p></section>` : messages.map(article)}
  </div>`;
}

function article({ id, channel, to, subject, text, code, link, at }: ReceivedMessage): Markup {
  return html`<article id="${id}" aria-labelledby="${id}-subject">
    <div class="row">
      <h2 id="${id}-subject"><bdi>${channel === "sms" ? "Text message" : subject}</bdi></h2>
      <span class="soft">${moment(at)}</span>
    </div>
    <p class="soft">to <bdi>${address(to)}</bdi></p>
    ${code === undefined ? undefined : codeToCopy(code, `${id}-code`)} ${link === undefined ? undefined : button(link)}
    <pre class="text" dir="auto">${withLinks(text)}</pre>
  </article>`;
}

function codeToCopy(code: string, id: string): Markup {
  return html`<p class="copied"><strong id="${id}" class="code">${code}</strong> ${copyButton(id, "the code")}</p>`;
}

function button(link: string): Insertable {
  const opening = linkOut(link, "Open the link", "button main");
  return opening && html`<div class="buttons">${opening}</div>`;
}
