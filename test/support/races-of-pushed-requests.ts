import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { login, loginState, submit, submitStep, type FlowResult, type LoginService } from "./flow.ts";
import { openPushed, openPushingService, pushedUri } from "../par/pushing.ts";

const many = Array.from({ length: 32 }, (_, i) => i);

/** Adds the tests for parallel uses of a pushed authorization request, for any store. */
export function testPushedRequestRaces(open: () => Promise<DataAdapter>): void {
  let service: LoginService;

  beforeAll(async () => {
    service = await openPushingService({ data: await open() });
  });

  const codesIn = (results: readonly FlowResult[]) => results.filter((result) => result.kind === "response" && "code" in result.parameters);

  test("of thirty-two parallel uses of a pushed request by signed-in browsers, one leads to a code", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const uri = await pushedUri(service, service.web);
    const results = await Promise.all(many.map(() => openPushed(browser, service.web, uri)));
    expect(codesIn(results)).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "page")).toHaveLength(31);
  });

  test("of eight parallel logins that opened one pushed request, one leads to a code", async () => {
    const uri = await pushedUri(service, service.web);
    const logins = await Promise.all(
      many.slice(0, 8).map(async () => {
        const browser = service.browser();
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
