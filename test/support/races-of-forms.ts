import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { stringMember } from "./api.ts";
import { openBrowser, type Browser } from "./browser.ts";
import {
  fakeHasher,
  loginState,
  openService,
  openStep,
  readRedirect,
  sendAuthorization,
  sendForm,
  submitStep,
  type App,
  type AuthorizationParameters,
  type FlowStep,
  type LoginService,
} from "./flow.ts";
import { codeOf, createOutbox, type Outbox } from "./outbox.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

/** A page whose form is ready to be submitted, with the values of the form. */
interface ReadyForm {
  readonly browser: Browser;
  readonly html: string;
  readonly form: FlowStep;
}

const newPassword = "another horse battery";

/**
 * Adds the tests of a user who clicks twice on a slow page, for any store: the browser sends a form twice, and ignores the
 * first response. The submissions go through two services.
 */
export function testFormRaces(open: () => Promise<DataAdapter>): void {
  let outbox: Outbox;
  let second: TestPostern;
  let service: LoginService;
  let codeApp: App;
  let number = 0;

  beforeAll(async () => {
    outbox = createOutbox();
    const options = { data: await open(), messages: { mail: outbox.mail } };
    service = await openService(options);
    second = await createTestPostern({ ...options, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
    const connection = await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    codeApp = await service.register({ grant_types: ["authorization_code"] });
    await service.manage("PATCH", `/api/v2/clients/${codeApp.clientId}/connections`, [stringMember(connection, "id")]);
  });
  beforeEach(() => {
    outbox.sent.length = 0;
    service.clock.advance("1h");
  });

  const newEmail = (): string => `twice-${++number}@example.test`;

  async function startLogin(app: App, steps: readonly FlowStep[], parameters: AuthorizationParameters = {}) {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, parameters));
    for (const step of steps) await submitStep(browser, state, step);
    return { browser, state };
  }

  async function ready({ browser, state }: { browser: Browser; state: string }, form: FlowStep): Promise<ReadyForm> {
    return { browser, html: await (await openStep(browser, state)).text(), form };
  }

  /** The forms with a code or a password. */
  const forms: { readonly [name: string]: () => Promise<ReadyForm> } = {
    "the code of a sign-in": async () => {
      const email = newEmail();
      const login = await startLogin(codeApp, [{ action: "continue", identifier: email }]);
      return ready(login, { action: "enter-code", code: codeOf(outbox.take(email)) });
    },
    "the code of a sign-up": async () => {
      const email = newEmail();
      const made = { action: "make-account", email, password: newPassword } as const;
      const login = await startLogin(service.spa, [made], { screen_hint: "signup" });
      return ready(login, { action: "enter-code", code: codeOf(outbox.take(email)) });
    },
    "a password": async () => {
      const { email, password } = await service.addUser(newEmail());
      const login = await startLogin(service.spa, [{ action: "continue", identifier: email }]);
      return ready(login, { action: "sign-in", password });
    },
    "the code of a reset": async () => {
      const { email } = await service.addUser(newEmail());
      const login = await startReset(email);
      return ready(login, { action: "enter-code", code: codeOf(outbox.take(email)) });
    },
    "a new password": async () => {
      const { email } = await service.addUser(newEmail());
      const login = await startReset(email);
      await submitStep(login.browser, login.state, { action: "enter-code", code: codeOf(outbox.take(email)) });
      return ready(login, { action: "set-password", password: newPassword });
    },
  };

  function startReset(email: string) {
    return startLogin(service.spa, [
      { action: "continue", identifier: email },
      { action: "forgot-password" },
      { action: "send-reset", identifier: email },
    ]);
  }

  let copies = 0;
  /** Opens another browser with the same cookies, at one of the two services. */
  const copyOf = ({ cookies }: Browser): Browser => openBrowser((copies++ % 2 === 0 ? second : service).postern, cookies);
  const leadsTo = (response: Response): string => {
    const location = response.headers.get("location") ?? "";
    const { kind } = readRedirect(location);
    return kind === "response" ? kind : (new URL(location, "https://x").searchParams.get("step") ?? kind);
  };
  const sessionOf = (response: Response) => response.headers.getSetCookie().find((cookie) => cookie.includes("session_"));

  describe.each(Object.keys(forms))("a form that is submitted twice, with %s", (name) => {
    let page: ReadyForm;
    beforeEach(async () => {
      const make = forms[name];
      if (make === undefined) throw new Error(name);
      page = await make();
    });

    test("leads on both times, and the session of the second response is that of the first one", async () => {
      const { browser, html, form } = page;
      const first = await sendForm(copyOf(browser), html, form);
      const second = await sendForm(browser, html, form);
      expect([leadsTo(second), sessionOf(second)]).toEqual([leadsTo(first), sessionOf(first)]);
      expect(leadsTo(first)).not.toBe("code");
    });

    test("does not sign in again after the user signed out", async () => {
      const { browser, html, form } = page;
      const early = copyOf(browser);
      await sendForm(early, html, form);
      await early.get("/v2/logout");
      expect(sessionOf(await sendForm(browser, html, { ...form }))).toBeUndefined();
    });

    test("leads on every time when it is submitted in parallel", async () => {
      const { browser, html, form } = page;
      const responses = await Promise.all(Array.from({ length: 4 }, async () => sendForm(copyOf(browser), html, form)));
      expect(new Set(responses.map(leadsTo)).size).toBe(1);
      expect(new Set(responses.map(sessionOf)).size).toBe(1);
    });
  });
}
