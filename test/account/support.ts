import { expect } from "vitest";
import { codeOf } from "../support/outbox.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { openLink, type LinkPage } from "../support/links.ts";
import type { FactorService } from "../factors/support.ts";

import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";

/** Opens a page of the account. @param query the parameters of its URL. */
export function openSecurity(browser: Browser, query: { readonly [name: string]: string } = {}): Promise<LinkPage> {
  return openLink(browser, `${securityPath}?${new URLSearchParams(query)}`);
}

/** Submits a form of a page, and returns the next page: the response itself, or the page that it redirects to. */
export async function submitSecurity(
  browser: Browser,
  { html }: LinkPage,
  more: { readonly [field: string]: string },
): Promise<LinkPage & { readonly location: URL | undefined }> {
  const response = await browser.post(formAction(html) ?? securityPath, { form: { ...formFields(html), ...more } });
  const location = response.headers.get("location");
  if (location === null) {
    const text = await response.text();
    const [, title = ""] = /<h1>(.*?)<\/h1>/s.exec(text) ?? [];
    const actions = [...text.matchAll(/<button type="submit" name="action" value="([a-z-]+)"/g)].map(([, value = ""]) => value);
    return { status: response.status, title, html: text, actions, location: undefined };
  }
  return { ...(await openLink(browser, location)), location: new URL(location) };
}

/** Returns the ids of the factors that the page lists. */
export function listedFactors({ html }: LinkPage): readonly string[] {
  return [...html.matchAll(/view=remove&amp;id=([^"&]+)/g)].map(([, id = ""]) => decodeURIComponent(id));
}

/** Returns the recovery code on a page. */
export function shownCode({ html }: LinkPage): string {
  const [, code = ""] = /<code[^>]*>([^<]*)<\/code>/.exec(html) ?? [];
  const compact = code.replaceAll(" ", "");
  expect(compact).toMatch(/^[A-Z0-9]{24}$/);
  return compact;
}

/** Returns the link in the latest mail about a change of factors. */
export function undoLinkOf({ outbox, ada }: FactorService): string {
  const mail = outbox.take(ada.email);
  const [link = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(mail.text) ?? [];
  expect(link).not.toBe("");
  return link;
}

/** Adds a phone on the page of the account. */
export async function addPhone(service: FactorService, browser: Browser, phone: string): Promise<LinkPage> {
  const form = await openSecurity(browser, { view: "add", type: "phone" });
  const sent = await submitSecurity(browser, form, { action: "enter-phone", phone });
  return submitSecurity(browser, sent, { action: "confirm-new-factor", code: codeOf(service.outbox.take(phone)) });
}
