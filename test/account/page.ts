import { formAction, formFields, type Browser } from "../support/browser.ts";
import { openLink, type LinkPage } from "../support/links.ts";
import { login, type LoginService, type TestAccount } from "../support/flow.ts";

/** The sections of the account page that the tests show. */
type Sections = { readonly [section: string]: "shown" | "read_only" | "hidden" };

/** Shows all sections of the account page, and sets its default client. */
export async function showSections(service: LoginService, sections: Sections = {}, clientId: string = service.web.clientId): Promise<void> {
  const all = { profile: "shown", sessions: "shown", apps: "shown", language: "shown", events: "shown", ...sections };
  const reply = await service.manage("PATCH", "/api/v2/tenants/settings", { account_page: { client_id: clientId, sections: all } });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  service.clock.advance("6s");
}

/** Signs a user in with a new browser. */
export async function signInBrowser(service: LoginService, account: TestAccount): Promise<Browser> {
  const browser = service.browser();
  await login(browser, service.web, account);
  return browser;
}

/** Opens a section of the account page. */
export function openSection(browser: Browser, section: string, query: { readonly [name: string]: string } = {}): Promise<LinkPage> {
  return openLink(browser, `/u/account/${section}?${new URLSearchParams(query)}`);
}

/** Submits a form of a section. @returns the location of the redirect, or the status. */
export async function submitForm(
  browser: Browser,
  { html }: LinkPage,
  more: { readonly [field: string]: string },
): Promise<{ readonly status: number; readonly location: URL | undefined }> {
  const response = await browser.post(formAction(html) ?? "", { form: { ...formFields(html), ...more } });
  const location = response.headers.get("location");
  return { status: response.status, location: location === null ? undefined : new URL(location) };
}
