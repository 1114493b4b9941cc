import { beforeEach, describe, expect, test } from "vitest";
import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";
import { listedFactors, openSecurity } from "../account/support.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { getFlow, loginState, sendAuthorization, sendStep, signInAtLoginPage } from "../support/flow.ts";
import { createTicketLink, openLink, type LinkPage } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { openFactorService, screenOf, setPolicies, type FactorService } from "./support.ts";

/** A user switches between a text message and a call on the pages outside the login. JavaScript is not needed. */

const phone = "+491701234567";

let service: FactorService;
let browser: Browser;

beforeEach(async () => {
  service = await openFactorService({}, (outbox) => ({ mail: outbox.mail, sms: outbox.phone }));
  await setPolicies(service, []);
  await setMessageTypes("sms", "voice");
  browser = service.browser();
});

async function setMessageTypes(...message_types: readonly string[]): Promise<void> {
  jsonBody(await service.manage("PUT", "/api/v2/guardian/factors/phone/message-types", { message_types }));
  service.clock.advance("10s");
}

/** Enrolls a phone for Ada. */
async function enrollPhone(channel: "sms" | "voice" = "sms"): Promise<void> {
  const body = { type: "phone", phone_number: phone, preferred_authentication_method: channel };
  await service.manage.create(`/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`, body);
}

const signIn = async (): Promise<void> =>
  void (await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada));

/** Opens the page of a user without a factor on which they add one. */
const openTicketPage = async (body: object = {}): Promise<LinkPage> => {
  const reply = await service.manage("POST", "/api/v2/guardian/enrollments/ticket", { user_id: service.ada.userId, ...body });
  return openLink(browser, stringMember(jsonBody(reply, 200), "ticket_url"));
};

const textOf = (html: string): string =>
  html
    .replace(/.*<main/s, "<main")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

/** Returns the form with a button. */
function formWith({ html }: LinkPage, label: string): string {
  const forms = [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
  const form = forms.find((one) => one.includes(label));
  if (form === undefined) throw new Error(`the page has no button '${label}': ${textOf(html)}`);
  return form;
}

/** Presses a button. Sends the fields of its form only, as a browser without JavaScript does. */
async function press(page: LinkPage, label: string, typed: { readonly [field: string]: string } = {}): Promise<LinkPage> {
  const form = formWith(page, label);
  const buttons = [...form.matchAll(/<button type="submit" name="([a-z-]+)" value="([a-z-]+)".*?<\/button>/gs)];
  const [, name = "", value = ""] = buttons.find(([button]) => button.includes(label)) ?? [];
  const response = await browser.post(formAction(form) ?? "", { form: { ...formFields(form), [name]: value, ...typed } });
  if (response.status === 303) return openLink(browser, response.headers.get("location") ?? "");
  const html = await response.text();
  return { status: response.status, title: textOf(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? ""), html, actions: [] };
}

const confirmLabel = "Continue";
const counts = (): readonly [texts: number, calls: number] => [
  service.outbox.sent.filter(({ to }) => to === phone).length,
  service.outbox.calls.length,
];
const lastCode = (channel: "sms" | "voice"): string => {
  const call = service.outbox.calls.at(-1);
  return channel === "sms" ? codeOf(service.outbox.take(phone)) : codeOf(call ?? {});
};

/** Opens the form for the number of a new phone. */
const newPhonePages = {
  "the account page": async () => {
    await signIn();
    return openSecurity(browser, { view: "add", type: "phone" });
  },
  "the page of an enrollment ticket": async () => press(await openTicketPage({ factor: "phone" }), "Text message"),
} as const;

describe.each(Object.entries(newPhonePages))("a new phone on %s", (_, open) => {
  const storedChannel = async (): Promise<unknown> => {
    const where = { tenant_id: "main", user_id: service.ada.userId, type: "phone" };
    return (await service.data.collections.factors.find({ where, limit: 2 })).map(({ channel }) => channel);
  };

  test("can be confirmed by a call instead, and gets calls from then on", async () => {
    const sent = await press(await open(), "Send code", { phone });
    expect(sent.html).toContain("Enter the code we texted to");
    const text = lastCode("sms");
    const called = await press(sent, "Call me instead");
    for (const shown of ["Enter the code from our call to", "Call again", "Text me instead"]) expect(called.html).toContain(shown);
    expect(counts()).toEqual([0, 1]);
    const again = await press(called, "Call again");
    expect(counts()).toEqual([0, 2]);
    // A later code replaces the one before.
    const rejected = await press(again, confirmLabel, { code: text });
    expect(rejected.html).toContain('id="problem"');
    expect(rejected.html).toContain("Enter the code from our call to");
    const done = await press(rejected, confirmLabel, { code: lastCode("voice") });
    expect(done.title).toBe("Save your recovery code");
    expect(await storedChannel()).toEqual(["voice"]);
  });

  test("can get a text message again", async () => {
    const called = await press(await press(await open(), "Send code", { phone }), "Call me instead");
    const texted = await press(called, "Text me instead");
    expect(texted.html).toContain("Call me instead");
    expect((await press(texted, confirmLabel, { code: lastCode("sms") })).title).toBe("Save your recovery code");
    expect(await storedChannel()).toEqual(["sms"]);
  });

  test("rejects an unknown channel, and sends nothing", async () => {
    const sent = await press(await open(), "Send code", { phone });
    const form = formWith(sent, "Call me instead");
    const fields = { ...formFields(form), action: "send-new-factor-code", channel: "pigeon" };
    const response = await browser.post(formAction(form) ?? "", { form: fields });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("pigeon");
    expect(counts()).toEqual([1, 0]);
  });

  test.each([
    ["the tenant does not offer calls any more", () => setMessageTypes("sms")],
    ["the SMS adapter places no calls", async () => void Object.assign(service.outbox.phone, { call: undefined })],
  ])("gets a text message if %s", async (__, change) => {
    const sent = await press(await open(), "Send code", { phone });
    await change();
    const texted = await press(sent, "Call me instead");
    expect(texted.html).toContain("Enter the code we texted to");
    expect(texted.html).not.toContain("Call me instead");
    expect(counts()).toEqual([2, 0]);
    expect((await press(texted, confirmLabel, { code: lastCode("sms") })).title).toBe("Save your recovery code");
    expect(await storedChannel()).toEqual(["sms"]);
  });

  test("offers no switch if the tenant only places calls", async () => {
    await setMessageTypes("voice");
    const page = await (open === newPhonePages["the account page"]
      ? open()
      : press(await openTicketPage({ factor: "phone" }), "Phone call"));
    const called = await press(page, "Call me with a code", { phone });
    expect(called.html).not.toContain("Text me instead");
    expect(counts()).toEqual([0, 1]);
  });
});

/** Opens a page that asks for the phone before it continues. */
const factorPages = {
  "the account page": {
    open: async () => {
      await signIn();
      service.clock.advance("16m");
      return openSecurity(browser, { view: "recovery-code" });
    },
    passed: "Create a recovery code",
  },
  "the page of a link that resets the password": {
    open: async () => openLink(browser, await createTicketLink(service, "password-change", { user_id: service.ada.userId })),
    passed: "Choose a new password",
  },
  "the page of an enrollment ticket": {
    open: () => openTicketPage({ allow_multiple_enrollments: true }),
    passed: "Set up two‑step verification",
  },
} as const;

describe.each(Object.entries(factorPages))("a second factor on %s", (_, { open, passed }) => {
  test("can be passed by a call instead of a text message", async () => {
    await enrollPhone();
    const page = await open();
    expect(counts()).toEqual([0, 0]);
    const sent = await press(page, "Send code");
    expect(sent.html).toContain("Enter the code we texted to");
    const text = lastCode("sms");
    const called = await press(sent, "Call me instead");
    for (const shown of ["Enter the code from our call to", "Call again", "Text me instead"]) expect(called.html).toContain(shown);
    const again = await press(called, "Call again");
    expect(counts()).toEqual([0, 2]);
    const rejected = await press(again, confirmLabel, { code: text });
    expect(rejected.html).toContain('id="problem"');
    expect(rejected.html).toContain("Enter the code from our call to");
    expect((await press(rejected, confirmLabel, { code: lastCode("voice") })).title).toBe(passed);
  });

  test("can be passed by a text message instead of a call, before and after a call", async () => {
    await enrollPhone("voice");
    const page = await open();
    expect(page.html).toContain("Call me with a code");
    const texted = await press(page, "Text me instead");
    expect(texted.html).toContain("Enter the code we texted to");
    const called = await press(texted, "Call me instead");
    const last = await press(called, "Text me instead");
    expect(counts()).toEqual([2, 1]);
    expect((await press(last, confirmLabel, { code: lastCode("sms") })).title).toBe(passed);
  });

  test("keeps the code and its channel if no other code may be sent", async () => {
    await enrollPhone();
    let page = await press(await press(await open(), "Send code"), "Call me instead");
    let code = "";
    for (let i = 0; i < 50 && !page.html.includes('id="problem"'); i++) {
      code = lastCode("voice");
      page = await press(page, "Call again");
    }
    expect(page.html).toContain("Enter the code from our call to");
    expect((await press(page, confirmLabel, { code })).title).toBe(passed);
  });

  test("rejects an unknown channel, and sends nothing", async () => {
    await enrollPhone();
    const form = formWith(await open(), "Call me instead");
    const fields = { ...formFields(form), action: "send-factor-code", channel: "pigeon" };
    const response = await browser.post(formAction(form) ?? "", { form: fields });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("pigeon");
    expect(counts()).toEqual([0, 0]);
  });

  test.each([
    ["the tenant does not offer calls any more", () => setMessageTypes("sms")],
    ["the SMS adapter places no calls", async () => void Object.assign(service.outbox.phone, { call: undefined })],
  ])("sends a text message if %s", async (__, change) => {
    await enrollPhone("voice");
    const called = await press(await open(), "Call me with a code");
    await change();
    const texted = await press(called, "Call again");
    expect(texted.html).toContain("Enter the code we texted to");
    expect(texted.html).not.toMatch(/Call|Text me instead/);
    expect(counts()).toEqual([1, 1]);
    expect((await press(texted, confirmLabel, { code: lastCode("sms") })).title).toBe(passed);
  });

  test("ignores an unknown channel in the URL", async () => {
    await enrollPhone();
    const sent = await press(await open(), "Send code");
    const fields = formFields(formWith(sent, "Call me instead"));
    const path = formAction(sent.html) ?? "";
    const shown = await openLink(browser, `${path}?${new URLSearchParams({ ...fields, sent: "1", channel: "pigeon" })}`);
    expect(shown.html).toContain("Enter the code we texted to");
  });
});

describe("the login", () => {
  test("rejects an unknown channel, and sends nothing", async () => {
    await enrollPhone();
    await setPolicies(service, ["all-applications"]);
    const state = loginState(await sendAuthorization(browser, service.web));
    await sendStep(browser, state, { action: "continue", identifier: service.ada.email });
    await sendStep(browser, state, { action: "sign-in", password: service.ada.password });
    const { csrf } = await getFlow(browser, state);
    const response = await browser.post("/u/flow", { json: { state, csrf, action: "send-factor-code", channel: "pigeon" } });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: "invalid_request" })]);
    expect(screenOf(await getFlow(browser, state))).not.toHaveProperty("sent");
    expect(counts()).toEqual([0, 0]);
  });
});

describe("the name of a phone on the account page", () => {
  const names = async (): Promise<string> => (await openSecurity(browser)).html.replaceAll(/<[^>]*>/g, " ");

  test.each([
    ["voice", ["sms", "voice"], "Phone call"],
    ["sms", ["sms", "voice"], "Text message"],
    // A preferred channel that the tenant does not offer is ignored.
    ["voice", ["sms"], "Text message"],
    ["sms", ["voice"], "Phone call"],
  ] as const)("is chosen from preferred channel %s and offered channels %j: '%s'", async (preferred, offered, name) => {
    await signIn();
    await enrollPhone(preferred);
    await setMessageTypes(...offered);
    const shown = await names();
    for (const one of ["Phone call", "Text message"]) expect(shown.includes(one), one).toBe(one === name);
    const [id = ""] = listedFactors(await openSecurity(browser));
    expect(id).toMatch(/^phone\|dev_/);
  });

  test("is that of a call in the list of new factors, if the tenant only places calls", async () => {
    await signIn();
    await setMessageTypes("voice");
    const page = await openSecurity(browser, { view: "add" });
    expect(page.html).toContain("Phone call");
    expect(page.html).not.toContain("Text message");
    expect(formAction(page.html)).toContain(securityPath);
  });
});
