import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import {
  followRedirects,
  sendAuthorization,
  codeGrant,
  successParameters,
  login,
  loginState,
  openService,
  openStep,
  readRedirect,
  errorParameters,
  sendForm,
  submit,
  readResult,
  tokens,
  type App,
  type AuthorizationParameters,
  type FlowStep,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

let service: LoginService;
let partner: App;
let browser: Browser;
beforeEach(async () => {
  service = await openService();
  partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
  browser = service.browser();
});

const begin = async (parameters: AuthorizationParameters = {}, app: App = service.web): Promise<string> =>
  loginState(await sendAuthorization(browser, app, parameters));
const page = async (state: string, name?: string): Promise<string> => (await openStep(browser, state, name)).text();
/** The step that a URL redirects to, or undefined if it shows its own page. */
const redirectsTo = async (state: string, name: string): Promise<FlowResult | undefined> => {
  const location = (await openStep(browser, state, name)).headers.get("location");
  return location === null ? undefined : readRedirect(location);
};
/** The step of the form on a page. */
const shownStep = (html: string): string | undefined => formFields(html)["step"];
const named: FlowStep = { action: "continue", identifier: "ada@example.test" };

describe("every login step has its own URL", () => {
  test("/authorize and each submitted form redirect to the URL of a step, and the form on that page names the step", async () => {
    const first = await sendAuthorization(browser, service.web);
    expect(first).toMatchObject({ kind: "login", step: "identifier" });
    const state = loginState(first);
    const html = await page(state, "identifier");
    expect(formFields(html)).toMatchObject({ state, step: "identifier" });
    expect(await readResult(await sendForm(browser, html, named))).toEqual({ kind: "login", state, step: "password" });
    const form = await page(state, "password");
    expect(formFields(form)).toMatchObject({ state, step: "password" });
    const wrong = await sendForm(browser, form, { action: "sign-in", password: "not the password" });
    expect(await readResult(wrong)).toEqual({ kind: "login", state, step: "password" });
    const right = await sendForm(browser, form, { action: "sign-in", password: service.ada.password });
    successParameters(await readResult(right));
  });

  test("shows the current step at a URL without a step, and redirects from a step that is not reached yet", async () => {
    const state = await begin();
    expect(shownStep(await page(state))).toBe("identifier");
    for (const early of ["password", "consent", "select-organization", "invitation", "nonsense"]) {
      expect(await redirectsTo(state, early), early).toEqual({ kind: "login", state, step: "identifier" });
    }
    await submit(browser, state, named);
    expect(shownStep(await page(state))).toBe("password");
  });

  test("lets the visitor return to the identifier step and change it until sign-in", async () => {
    const state = await begin({}, partner);
    await submit(browser, state, { action: "continue", identifier: "typo@example.test" });
    const html = await page(state, "identifier");
    expect(shownStep(html)).toBe("identifier");
    expect(html).toContain('value="typo@example.test"');
    expect(await readResult(await sendForm(browser, html, named))).toMatchObject({ step: "password" });
    expect(await page(state, "password")).toContain(service.ada.email);

    await submit(browser, state, { action: "sign-in", password: service.ada.password });
    for (const over of ["identifier", "password"]) expect(await redirectsTo(state, over), over).toMatchObject({ step: "consent" });
  });

  test("returns to the identifier step with the button that changes the identifier, and continues from there", async () => {
    const state = await begin();
    await submit(browser, state, { action: "continue", identifier: "typo@example.test" });
    const back = await sendForm(browser, await page(state, "password"), { action: "change-identifier" });
    expect(await readResult(back)).toEqual({ kind: "login", state, step: "identifier" });
    expect(await redirectsTo(state, "password"), "the identifier was cleared").toMatchObject({ step: "identifier" });
    await submit(browser, state, named);
    successParameters(await submit(browser, state, { action: "sign-in", password: service.ada.password }));
  });

  test("lets the user return to the account chooser and the organization chooser", async () => {
    await login(browser, service.web, service.ada);
    const organizations = organizationsBy(service.manage);
    const [acme, birch] = [await organizations.create("acme"), await organizations.create("birch")];
    for (const id of [acme, birch]) await organizations.addMembers(id, service.ada);
    const app = await service.register({
      is_first_party: false,
      organization_usage: "require",
      organization_require_behavior: "post_login_prompt",
    });
    const state = await begin({ prompt: "select_account" }, app);
    await submit(browser, state, { action: "continue-as" });
    await submit(browser, state, { action: "select-organization", organization: acme });
    expect(shownStep(await page(state))).toBe("consent");
    expect(shownStep(await page(state, "select-account"))).toBe("select-account");
    const choice = await page(state, "select-organization");
    expect(shownStep(choice)).toBe("select-organization");
    expect(await readResult(await sendForm(browser, choice, { action: "select-organization", organization: birch }))).toMatchObject({
      step: "consent",
    });
    const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
    const { id } = tokens(await service.exchange(codeGrant(app, code)));
    expect(JSON.parse(Buffer.from(id.split(".")[1] ?? "", "base64url").toString())).toMatchObject({ org_id: birch });
  });

  test("ignores a form of a completed step and redirects to the current step", async () => {
    const state = await begin({}, partner);
    const [identifier] = [await page(state)];
    await submit(browser, state, named);
    const password = await page(state);
    await submit(browser, state, { action: "sign-in", password: service.ada.password });
    for (const [html, action] of [
      [identifier, { action: "continue", identifier: service.bob.email }],
      [password, { action: "sign-in", password: "not the password" }],
    ] as const) {
      expect(await readResult(await sendForm(browser, html, action))).toMatchObject({ step: "consent" });
    }
    const consent = await page(state);
    expect(consent).toContain(service.ada.email);
    expect(consent).not.toContain('id="problem"');
    service.clock.advance("5s");
    expect(await auditEvents(service.manage, "fp")).toEqual([]);
  });

  test("responds to a login URL without a state with an error page", async () => {
    const response = await browser.get("/u/login");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("A sign-in cannot start at this URL");
  });
});

describe("the problem with a submitted form", () => {
  const wrong: FlowStep = { action: "sign-in", password: "not the password" };

  test("is shown after the redirect and on every reload until the next action, and a reload does not count as an attempt", async () => {
    const state = await begin();
    await submit(browser, state, named);
    expect(await page(state)).not.toContain('id="problem"');
    const first = await submit(browser, state, wrong);
    expect(first).toMatchObject({ kind: "page", status: 200, html: expect.stringContaining("Wrong email or password") });
    for (let reload = 0; reload < 12; reload++) expect(await page(state, "password")).toContain("Wrong email or password");
    service.clock.advance("5s");
    expect(await auditEvents(service.manage, "fp")).toHaveLength(1);
    expect(await submit(browser, state, { action: "sign-in" })).toMatchObject({ html: expect.stringContaining("Enter your password.") });
    expect(await page(state)).not.toContain("Wrong email or password");
    successParameters(await submit(browser, state, { action: "sign-in", password: service.ada.password }));
  });

  test("is shown on its own step only, and is cleared when the visitor leaves the step", async () => {
    const state = await begin();
    await submit(browser, state, named);
    await submit(browser, state, wrong);
    expect(await page(state, "identifier")).not.toContain('id="problem"');
    await submit(browser, state, { action: "change-identifier" });
    await submit(browser, state, named);
    expect(await page(state)).not.toContain('id="problem"');
  });

  test("is shown in its own login session only", async () => {
    const [state, other] = [await begin(), await begin()];
    for (const each of [state, other]) await submit(browser, each, named);
    await submit(browser, state, wrong);
    expect(await page(other)).not.toContain('id="problem"');
    expect(await page(state)).toContain('id="problem"');
  });
});

describe("after the response to the client", () => {
  const finished = async (): Promise<{ readonly state: string; readonly form: string }> => {
    const state = await begin();
    await submit(browser, state, named);
    const form = await page(state);
    successParameters(await submit(browser, state, { action: "sign-in", password: service.ada.password }));
    return { state, form };
  };

  test("a page request within three seconds repeats the response, and a later one shows that sign-in is finished, with a link to the app", async () => {
    const { state } = await finished();
    service.clock.advance("3s");
    successParameters(await readResult(await openStep(browser, state)));
    service.clock.advance("1ms");
    for (const name of [undefined, "identifier", "password", "nonsense"]) {
      const response = await openStep(browser, state, name);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toContain("Sign-in complete");
      expect(html).toContain(service.ada.email);
      expect(html).toContain('href="https://app.example.test/"');
      expect(formFields(html)).toEqual({});
    }
  });

  test.each(["identifier", "password"])(
    "returning to the %s step shows that sign-in is finished, because the app expects one response",
    async (name) => {
      const { state } = await finished();
      expect(await page(state, name)).toContain("Sign-in complete");
    },
  );

  test("a repeated response does not extend the three seconds", async () => {
    const { state } = await finished();
    service.clock.advance("2s");
    successParameters(await readResult(await openStep(browser, state)));
    service.clock.advance("2s");
    expect(await page(state)).toContain("Sign-in complete");
  });

  test("a form that is sent again within three seconds repeats the response with a new code", async () => {
    const { form } = await finished();
    service.clock.advance("3s");
    const codes = [];
    for (let sent = 0; sent < 2; sent++) {
      const repeated = await readResult(await sendForm(browser, form, { action: "sign-in", password: service.ada.password }));
      codes.push(successParameters(repeated)["code"] ?? "");
    }
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) tokens(await service.exchange(codeGrant(service.web, code)));
  });

  test("a form that is sent later shows that sign-in is finished, because the app expects no response", async () => {
    const { state, form } = await finished();
    service.clock.advance("1m");
    const repeated = await readResult(await sendForm(browser, form, { action: "sign-in", password: service.ada.password }));
    expect(repeated).toMatchObject({ kind: "login", state });
    expect(await page(state)).toContain("Sign-in complete");
  });
});

describe.each(["form_post", "fragment", undefined])("a declined consent with response mode %s", (response_mode) => {
  test("is the final response to the client", async () => {
    await login(browser, service.web, service.ada);
    const state = await begin({ response_mode }, partner);
    const form = await page(state);
    expect(errorParameters(await submit(browser, state, { action: "deny" }))).toMatchObject({ error: "access_denied", state: "st-1" });
    expect(errorParameters(await readResult(await openStep(browser, state)))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await followRedirects(browser, await sendForm(browser, form, { action: "accept" })))).toMatchObject({
      error: "access_denied",
    });
    service.clock.advance("4s");
    expect(await page(state)).toContain("Sign-in complete");
    expect(errorParameters(await sendAuthorization(browser, partner, { prompt: "none" }))["error"]).toBe("consent_required");
  });
});

describe("a response that is a page", () => {
  test("redirects a form_post response to a URL without a step, which shows the page", async () => {
    const state = await begin({ response_mode: "form_post" });
    await submit(browser, state, named);
    const posted = await sendForm(browser, await page(state), { action: "sign-in", password: service.ada.password });
    expect(posted.status).toBe(303);
    expect(posted.headers.get("location")).toBe(`${service.postern.issuer}u/login?${new URLSearchParams({ state })}`);
    service.clock.advance("1m");
    const response = await openStep(browser, state);
    expect(response.status).toBe(200);
    const result = await readResult(response);
    expect(result).toMatchObject({ mode: "form_post", to: service.web.redirectUri });
    tokens(await service.exchange(codeGrant(service.web, successParameters(result)["code"] ?? "")));
    service.clock.advance("4s");
    expect(await page(state)).toContain("Sign-in complete");
  });

  test("redirects a web_message response to a URL without a step, which shows the page", async () => {
    const state = await begin({ response_mode: "web_message" }, service.spa);
    await submit(browser, state, named);
    const posted = await sendForm(browser, await page(state), { action: "sign-in", password: service.ada.password });
    expect(await readResult(posted)).toEqual({ kind: "login", state });
    const result = await readResult(await openStep(browser, state));
    expect(result).toMatchObject({ mode: "web_message", to: "https://app.example.test" });
    successParameters(result);
  });
});

test("lets another user sign in from the consent page, and prompts that user for consent", async () => {
  await login(browser, service.web, service.ada);
  const state = await begin({}, partner);
  const html = await page(state);
  expect(html).toContain(service.ada.email);
  expect(html).toContain("Not you?");
  expect(html, "the redirect host").toContain("app.example.test");
  const left = await sendForm(browser, html, { action: "other-account" });
  expect(await readResult(left)).toEqual({ kind: "login", state, step: "identifier" });
  await submit(browser, state, { action: "continue", identifier: service.bob.email });
  const requested = await submit(browser, state, { action: "sign-in", password: service.bob.password });
  expect(requested).toMatchObject({ kind: "page", html: expect.stringContaining(service.bob.email) });
  const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
  expect((await service.userinfo(tokens(await service.exchange(codeGrant(partner, code))).access)).body).toMatchObject({
    sub: service.bob.userId,
  });
});
