import { createAdmin, type Admin, type AdminOptions } from "@postern/admin";
import { appSessions } from "@postern/app";
import { expect } from "vitest";
import { openAppBrowser, type AppBrowser } from "../app/app-browser.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { formFields } from "../support/browser.ts";
import { openService, type LoginService, type TestAccount } from "../support/flow.ts";
import { managementAudience, type TestOptions } from "../support/postern.ts";

export const testConsoleUrl = "https://console.example.test/admin/";
const secret = "a-console-secret-0123456789-abcdefgh";

/** A console with a service, and what it sent to the Management API. */
export interface TestConsole {
  readonly service: LoginService;
  readonly admin: Admin;
  /** The administrator, who has every scope. */
  readonly administrator: TestAccount;
  /** The requests that the console sent to the service, without those of the sign-in. */
  readonly calls: { readonly method: string; readonly path: string; readonly authorization: string | null }[];
  /** Creates a user whose only role has these scopes of the Management API. */
  addOperator(email: string, scopes: readonly string[]): Promise<TestAccount>;
  /** Signs a user in to another app. The app has one session for each call with the right password. */
  signInToApp(account: TestAccount, password?: string): Promise<void>;
  /** Opens a browser in which a user has signed in to the console. */
  signIn(account: TestAccount): Promise<ConsoleBrowser>;
}

/** A browser at the console. Paths are relative to the URL of the console. */
export interface ConsoleBrowser extends AppBrowser {
  /** Requests a page, and follows redirects, also through the sign-in for a tenant. @returns its path, its status and its HTML. */
  open(path: string): Promise<readonly [path: string, status: number, html: string]>;
  /** Requests a page, and requires a status. */
  page(path: string, status?: number): Promise<string>;
  /** Submits the first form of a page that has all of these fields, with changed values. */
  submit(
    path: string,
    fields: { readonly [name: string]: string },
    headers?: { readonly [name: string]: string },
    repeated?: readonly (readonly [name: string, value: string])[],
  ): Promise<Response>;
}

/** Opens a {@link TestConsole}. */
export async function openConsole(options: Partial<AdminOptions> = {}, serviceOptions: TestOptions = {}): Promise<TestConsole> {
  const service = await openService(serviceOptions);
  const { postern, clock, data, manage } = service;
  const appUrl = options.appUrl ?? testConsoleUrl;
  const calls: { method: string; path: string; authorization: string | null }[] = [];
  const password = "correct horse battery";
  await postern.seed({
    tenantId: "main",
    clients: [
      {
        clientId: "console",
        settings: {
          name: "Console",
          app_type: "regular_web",
          token_endpoint_auth_method: "none",
          grant_types: ["authorization_code", "refresh_token"],
          callbacks: [`${appUrl}callback`],
        },
      },
    ],
    user: { email: "root@example.test", password, name: "Root", managesTenant: true },
  });
  const [found] = await postern.tenant("main").usersByEmail.list({ email: "root@example.test" });
  const admin = createAdmin({
    postern: {
      issuer: postern.issuer,
      tenant: postern.tenant,
      fetch: (request, extra) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith("/api/") || pathname.startsWith("/tenants"))
          calls.push({ method: request.method, path: pathname, authorization: request.headers.get("authorization") });
        return postern.fetch(request, extra);
      },
    },
    tenantId: "main",
    clientId: "console",
    appUrl,
    secret,
    store: appSessions(data, { now: () => clock.now() }),
    now: () => clock.now(),
    ...options,
  });
  return {
    service,
    admin,
    calls,
    administrator: { email: "root@example.test", password, userId: found?.user_id ?? "" },
    async addOperator(email, scopes) {
      const user = await service.addUser(email);
      const role = stringMember(await manage.create("/api/v2/roles", { name: `Role of ${email}` }), "id");
      const permissions = scopes.map((scope) => ({ resource_server_identifier: managementAudience, permission_name: scope }));
      await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
      await manage("POST", `/api/v2/users/${encodeURIComponent(user.userId)}/roles`, { roles: [role] });
      return user;
    },
    async signInToApp({ email, password: own }, password = own) {
      const grant = "http://auth0.com/oauth/grant-type/password-realm";
      const { clientId } = await service.register({ grant_types: [grant, "refresh_token"] });
      const realm = "Username-Password-Authentication";
      await service.exchange({ grant_type: grant, client_id: clientId, realm, username: email, password, scope: "openid offline_access" });
    },
    async signIn(account) {
      const opened = openAppBrowser(service, (request) => admin.fetch(request, { clientAddress: "192.0.2.9" }), appUrl);
      const browser = toConsoleBrowser(opened, account);
      await browser.signIn(account, "login");
      calls.length = 0;
      return browser;
    },
  };
}

/** @param account the user whose sign-ins `open` follows. */
function toConsoleBrowser(browser: AppBrowser, account: TestAccount): ConsoleBrowser {
  return {
    ...browser,
    async open(path) {
      let at = path;
      for (let redirects = 0; redirects < 6; redirects++) {
        const response = await browser.send(at);
        const location = response.headers.get("location");
        if (location === null) return [new URL(at, testConsoleUrl).pathname, response.status, await response.text()];
        at = location.includes("/authorize?") ? await browser.authorize(location, account) : location;
      }
      throw new Error(`too many redirects from ${path}`);
    },
    async page(path, status = 200) {
      const response = await browser.send(path);
      expect([path, response.status, response.headers.get("location")]).toEqual([path, status, null]);
      return response.text();
    },
    async submit(path, fields, headers = {}, repeated = []) {
      const html = await (await browser.send(path)).text();
      // The sign-out is also a form, so its token is the token of every form on the page.
      const token = formFields(html)["form_token"] ?? "";
      return browser.send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams([
          ...Object.entries({ form_token: token, ...fields }),
          ...repeated.map(([name, value]) => [name, value]),
        ]).toString(),
      });
    },
  };
}

/** Creates a user with data in every field that the console shows. @param text the value of every text. */
export async function createFilledUser({ service: { manage } }: TestConsole, text: string): Promise<string> {
  const body = {
    connection: "Username-Password-Authentication",
    email: "filled@example.test",
    password: "correct horse battery",
    name: text,
    nickname: text,
    given_name: text,
    family_name: text,
    user_metadata: { [text]: text },
    app_metadata: { [text]: text },
  };
  return stringMember(jsonBody(await manage("POST", "/api/v2/users", body), 201), "user_id");
}
