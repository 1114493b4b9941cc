import { expect } from "vitest";
import { stringMember } from "./api.ts";
import { formAction, formFields, type Browser } from "./browser.ts";
import type { TestAccount, LoginService } from "./flow.ts";

/** A page that opens when the user follows a link in an email. */
export interface LinkPage {
  readonly status: number;
  readonly title: string;
  readonly html: string;
  /** The actions of the buttons on the page. */
  readonly actions: readonly string[];
}

/** Opens a link. */
export async function openLink(browser: Browser, link: string): Promise<LinkPage> {
  const response = await browser.get(link);
  const html = await response.text();
  const [, title = ""] = /<h1>(.*?)<\/h1>/s.exec(html) ?? [];
  const actions = [...html.matchAll(/<button type="submit" name="action" value="([a-z-]+)"/g)].map(([, value = ""]) => value);
  return { status: response.status, title: title.replaceAll(/<[^>]*>/g, ""), html, actions };
}

/** Submits the form on a page. @returns the page to which the response redirects. */
export async function submitLinkForm(browser: Browser, { html }: LinkPage, more: { readonly [field: string]: string }): Promise<LinkPage> {
  const response = await browser.post(formAction(html) ?? "", { form: { ...formFields(html), ...more } });
  expect(response.status).toBe(303);
  return openLink(browser, response.headers.get("location") ?? "");
}

const database = "Username-Password-Authentication";

/** Creates a user whose email address is not verified. */
export async function addUnverifiedUser({ manage }: LoginService, email: string, more: object = {}): Promise<TestAccount> {
  const password = "makers own password";
  const user = await manage.create("/api/v2/users", { connection: database, email, password, ...more });
  return { email, password, userId: stringMember(user, "user_id") };
}

/** Creates a ticket with the Management API. @returns its link. */
export async function createTicketLink(
  { manage }: LoginService,
  kind: "email-verification" | "password-change",
  body: object,
): Promise<string> {
  return stringMember(await manage.create(`/api/v2/tickets/${kind}`, body), "ticket").replace(/#$/, "");
}
