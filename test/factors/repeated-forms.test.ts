import { beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  getFlow,
  openStep,
  readRedirect,
  sendForm,
  submitStep,
  successParameters,
  type FlowStep,
} from "../support/flow.ts";
import { enrollApp, openFactorService, screenOf, signInToFactor, totpAt, totpOf, type FactorService } from "./support.ts";
import { auditEvents, stringMember } from "../support/api.ts";

/** A user clicks twice on a slow page: the browser sends the form twice, and ignores the first response. */
let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
});

/** Opens another browser with the same cookies. A response to it changes no cookie of the first browser. */
const copyOf = (browser: Browser): Browser => service.browser(browser.cookies);

/** Opens the factor page of a user with an authenticator app. */
async function openFactorPage(browser: Browser): Promise<{ readonly html: string; readonly form: FlowStep; readonly state: string }> {
  const { secret } = await enrollApp(service, service.browser());
  service.clock.advance("31s");
  const { state } = await signInToFactor(service, browser);
  const html = await (await openStep(browser, state)).text();
  return { html, state, form: { action: "enter-factor-code", code: totpAt(secret, service.clock.now()), remember: "true" } };
}

/** Returns the kind of the response to a form: the response to the client, or another page of the login. */
function kindOf(response: Response): string {
  return readRedirect(response.headers.get("location") ?? "").kind;
}

const cookieNames = (response: Response): readonly string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0] ?? "");

describe("a form with the code of a factor that is submitted twice", () => {
  test("signs the user in, although the browser ignores the first response", async () => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    const first = await sendForm(copyOf(browser), html, form);
    const second = await sendForm(browser, html, form);
    expect([kindOf(first), kindOf(second)]).toEqual(["response", "response"]);
    expect(cookieNames(second)).toEqual(cookieNames(first));
    const { code } = successParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
    expect(code).toBeDefined();
  });

  test("shows the recovery code of a user who added a factor", async () => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
    const html = await (await openStep(browser, state)).text();
    const form = { action: "confirm-new-factor", code: totpAt(stringMember(totpOf(chosen), "secret"), service.clock.now()) } as const;
    await sendForm(copyOf(browser), html, form);
    await sendForm(browser, html, form);
    expect(screenOf(await getFlow(browser, state))).toMatchObject({ name: "recovery-code" });
  });

  test.each([
    ["after more than ten minutes", async () => service.clock.advance("11m")],
    [
      "after the user was blocked",
      async () => void (await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { blocked: true })),
    ],
  ])("does not sign in %s", async (_, change) => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    await sendForm(copyOf(browser), html, form);
    await change();
    const second = await sendForm(browser, html, form);
    expect(kindOf(second)).not.toBe("response");
    expect(cookieNames(second).filter((name) => name.includes("session"))).toEqual([]);
  });

  test("starts one session, however often it is submitted", async () => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    const sessions = async (): Promise<number> => service.data.collections.sessions.count({ tenant_id: "main" });
    const before = await sessions();
    const first = await sendForm(copyOf(browser), html, form);
    const repeated = await Promise.all(Array.from({ length: 8 }, async () => sendForm(copyOf(browser), html, form)));
    expect(await sessions()).toBe(before + 1);
    const ofSession = (response: Response) => response.headers.getSetCookie().find((cookie) => cookie.includes("session_"));
    expect(ofSession(first)).toBeDefined();
    for (const response of repeated) expect([kindOf(response), ofSession(response)]).toEqual(["response", ofSession(first)]);
  });

  test("starts at most one session when it is submitted in parallel", async () => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    const before = await service.data.collections.sessions.count({ tenant_id: "main" });
    await Promise.all(Array.from({ length: 8 }, async () => sendForm(copyOf(browser), html, form)));
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(before + 1);
  });

  test("counts as one wrong code, in sequence and in parallel", async () => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    const wrong = { ...form, code: "000000" };
    for (let sent = 0; sent < 3; sent++) expect(kindOf(await sendForm(copyOf(browser), html, wrong))).toBe("login");
    await Promise.all(Array.from({ length: 8 }, async () => sendForm(copyOf(browser), html, wrong)));
    expect(await auditEvents(service.manage, "gd_auth_failed")).toHaveLength(1);
  });

  test("does not sign in again after the user signed out", async () => {
    const browser = service.browser();
    const { html, form } = await openFactorPage(browser);
    const early = copyOf(browser);
    await sendForm(early, html, form);
    await early.get("/v2/logout");
    const late = await sendForm(browser, html, form);
    expect(kindOf(late)).not.toBe("response");
    expect(cookieNames(late).filter((name) => name.includes("session"))).toEqual([]);
  });

  test("does not sign in with another code, or from another page of the login session", async () => {
    const browser = service.browser();
    const { html, form, state } = await openFactorPage(browser);
    await sendForm(copyOf(browser), html, form);
    const otherCode = await sendForm(copyOf(browser), html, { ...form, code: "000000" });
    const otherPage = await sendForm(copyOf(browser), await (await openStep(copyOf(browser), state)).text(), form);
    expect([kindOf(otherCode), kindOf(otherPage)]).toEqual(["login", "login"]);
  });
});
