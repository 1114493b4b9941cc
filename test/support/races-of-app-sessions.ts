import type { DataAdapter } from "@postern/core/adapter";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { openStoreApp, readPage, type AppWithStore } from "../app/store-app.ts";
import type { AppBrowser } from "../app/app-browser.ts";

const day = 86_400_000;

/** Tests parallel requests of several tabs to two processes of an app. Each process has one of the connections. */
export function testAppSessionRaces(openTwice: () => Promise<readonly [DataAdapter, DataAdapter]>): void {
  const open = async (): Promise<AppWithStore> => {
    const app = await openStoreApp({ connections: await openTwice() });
    await app.openSecondProcess();
    return app;
  };
  const tokenAt = async (browser: AppBrowser, query: string, process: number): Promise<string> => {
    const { token } = await readPage(browser, `/token${query}`, process);
    if (typeof token !== "string") throw new Error("the user was signed out");
    return token;
  };
  const rows = ({ data }: AppWithStore) => data.collections.app_sessions?.find({ where: { id_hash: { gte: "" } }, limit: 10 });

  test("32 parallel refreshes for three organizations keep one session, day after day", async () => {
    const app = await open();
    const organizations = [undefined, await app.createOrganization("acme"), await app.createOrganization("globex")];
    const queries = ["", `?organization=${organizations[1]}`, `?organization=${organizations[2]}`];
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    for (let i = 0; i < 4; i++) {
      const tokens = await Promise.all(Array.from({ length: 32 }, (_, tab) => tokenAt(browser, queries[tab % 3] ?? "", (tab % 2) + 1)));
      expect(tokens.map((token) => decodeJwt(token)["org_id"])).toEqual(tokens.map((_, tab) => organizations[tab % 3]));
      // The session contains the tokens of every tab.
      app.requests.length = 0;
      for (const query of queries) await tokenAt(browser, query, (i % 2) + 1);
      expect(app.requests).not.toContain("/oauth/token");
      app.clock.advance(day);
    }
    expect(await readPage(browser, "/", 2)).toEqual({ email: "ada@example.test" });
    expect(await rows(app)).toHaveLength(1);
    expect(await app.service.postern.tenant("main").logs.list({ q: "type:ferrt" })).toEqual([]);
  });

  test("a sign-out during parallel refreshes ends the session", async () => {
    const app = await open();
    const browser = app.openBrowser();
    for (let i = 0; i < 6; i++) {
      await browser.signIn(app.service.ada);
      const tab = app.openBrowser();
      for (const [name, value] of browser.cookies) tab.cookies.set(name, value);
      app.clock.advance(day);
      const refreshes = Array.from({ length: 8 }, (_, n) => readPage(tab, "/token", (n % 2) + 1));
      // Later in each round, so that the sign-out meets the refreshes at their reads, their requests and their writes.
      for (let turn = 0; turn < i * 12; turn++) await new Promise((resolve) => setImmediate(resolve));
      const signOut = browser.send("/logout", { method: "POST", headers: { "x-process": String((i % 2) + 1) } });
      await Promise.all([...refreshes, signOut]);
      expect(await rows(app)).toEqual([]);
      expect(await readPage(tab, "/token", (i % 2) + 1)).toEqual({ token: null });
    }
  });
}
