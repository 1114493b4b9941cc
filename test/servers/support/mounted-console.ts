import { expect } from "vitest";
import { formFields } from "../../support/browser.ts";
import { openHttpBrowser } from "../../support/code-flow.ts";
import { testUser } from "../../support/code-flow-fixtures.ts";

/**
 * Signs in, opens the home page with and without its final slash, loads the files of a page, submits a form, and signs
 * out. Every URL must be below the console or the issuer.
 */
export async function useConsole(appUrl: string, issuer: string): Promise<void> {
  const { pathname } = new URL(appUrl);
  const browser = openHttpBrowser(issuer);
  const started = await browser.go(`${appUrl}login?${new URLSearchParams({ returnTo: `${pathname}users` })}`);
  // A page redirects, because proxies limit the length of a header.
  const [, target = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(started.html) ?? [];
  const identifier = await browser.go(new URL(target.replaceAll("&amp;", "&"), started.url).href);
  expect(identifier.url).toContain(`${issuer}u/login`);
  const password = await browser.submit(identifier, { identifier: testUser.email, action: "continue" });
  const users = await browser.submit(password, { password: testUser.password, action: "sign-in" });
  expect([users.url, users.html.includes(testUser.email)]).toEqual([`${appUrl}users`, true]);

  for (const url of [appUrl, appUrl.slice(0, -1)]) expect((await browser.go(url)).html).toContain(`href="${pathname}users"`);

  const links = [...users.html.matchAll(/(?:href|src|action|data-search-url)="([^"#]+)"/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !link.startsWith(pathname) && link !== "data:,")).toEqual([]);
  const files = links.filter((link) => link.includes("assets/"));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const response = await fetch(new URL(file, appUrl));
    expect([file, response.status, response.headers.get("cache-control")]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
    expect(response.headers.get("content-type")).toMatch(/^(text\/css|text\/javascript|application\/javascript|image\/)/);
  }

  const form = await browser.go(`${appUrl}roles/new`);
  const name = `Clerk ü ${pathname}`;
  const fields = new URLSearchParams({ ...formFields(form.html), name, description: "" });
  const role = await browser.go(form.url, { method: "POST", body: fields });
  expect([role.url.startsWith(`${appUrl}roles/rol_`), role.html.includes(name)]).toEqual([true, true]);
  // Redirects to the home page, which responds with 401 to `fetch`, whose `Sec-Fetch-Mode` is not that of a navigation.
  const signOut = browser.go(`${appUrl}logout`, { method: "POST", body: new URLSearchParams() });
  await expect(signOut).rejects.toMatchObject({ actual: { status: 401, html: expect.stringContaining("login_required") } });
}
