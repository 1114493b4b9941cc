import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { openBrowser, type Browser } from "./browser.ts";
import { fakeHasher, login, loginState, submit, submitStep, type FlowResult, type LoginService } from "./flow.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";
import { openPushed, openPushingService, pushedUri } from "../par/pushing.ts";

const many = Array.from({ length: 32 }, (_, i) => i);

/** Adds the tests for parallel uses of a pushed authorization request, through two services on one store, for any store. */
export function testPushedRequestRaces(open: () => Promise<DataAdapter>): void {
  let service: LoginService;
  let second: TestPostern;

  beforeAll(async () => {
    const data = await open();
    service = await openPushingService({ data });
    second = await createTestPostern({ data, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
  });

  /** Opens another browser with the same cookies, at one of the two services. */
  const through = (i: number, { cookies }: Browser): Browser => openBrowser((i % 2 === 0 ? service : second).postern, cookies);

  const codesIn = (results: readonly FlowResult[]) => results.filter((result) => result.kind === "response" && "code" in result.parameters);

  test("of thirty-two parallel uses of a pushed request by signed-in browsers, one leads to a code", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const uri = await pushedUri(service, service.web);
    const results = await Promise.all(many.map((i) => openPushed(through(i, browser), service.web, uri)));
    expect(codesIn(results)).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "page")).toHaveLength(31);
  });

  test("of eight parallel logins that opened one pushed request, one leads to a code", async () => {
    const uri = await pushedUri(service, service.web);
    const logins = await Promise.all(
      many.slice(0, 8).map(async (i) => {
        const browser = through(i, service.browser());
        const state = loginState(await openPushed(browser, service.web, uri));
        await submitStep(browser, state, { action: "continue", identifier: service.bob.email });
        return { browser, state };
      }),
    );
    const password = { action: "sign-in", password: service.bob.password } as const;
    const results = await Promise.all(logins.map(({ browser, state }) => submit(browser, state, password)));
    expect(codesIn(results)).toHaveLength(1);
  });
}
