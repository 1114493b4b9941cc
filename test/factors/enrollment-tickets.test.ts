import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { expectError, jsonBody, list, managerOf, stringMember, type JsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { forEachWrite } from "../support/each-write.ts";
import { addUnverifiedUser, openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { enrollApp, openFactorService, setPolicies, totpAt, type FactorService } from "./support.ts";

const path = "/api/v2/guardian/enrollments/ticket";

let service: FactorService;
let user: string;

beforeEach(async () => {
  service = await openFactorService();
  user = service.ada.userId;
});

/** Creates a ticket. @returns its link. */
async function linkFor(body: object = {}): Promise<string> {
  return stringMember(jsonBody(await service.manage("POST", path, { user_id: user, ...body }), 200), "ticket_url");
}

/** Chooses an authenticator app on a page. @returns the page with its key. */
async function chooseApp(browser: Browser, link: string): Promise<{ readonly page: LinkPage; readonly secret: string }> {
  const page = await submitLinkForm(browser, await openLink(browser, link), { action: "choose-new-factor", factor: "totp" });
  const [, secret = ""] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(page.html) ?? [];
  return { page, secret: secret.replaceAll(" ", "") };
}

const codeFor = (secret: string): string => totpAt(secret, service.clock.now());

/** Adds an authenticator app with a link. */
async function addApp(browser: Browser, link: string): Promise<{ readonly page: LinkPage; readonly secret: string }> {
  const { page, secret } = await chooseApp(browser, link);
  return { page: await submitLinkForm(browser, page, { action: "confirm-new-factor", code: codeFor(secret) }), secret };
}

async function typesOf(userId = user): Promise<readonly (string | null)[]> {
  const { collections } = service.data;
  const factors = await collections.factors.find({ where: { tenant_id: "main", user_id: userId }, limit: 100 });
  return factors
    .filter(({ confirmed_at: at }) => at !== null)
    .map(({ type }) => type)
    .toSorted();
}

async function eventsOf(type: string): Promise<readonly JsonBody[]> {
  const logs = await service.manage("GET", "/api/v2/logs?per_page=100");
  return Array.isArray(logs.body) ? logs.body.filter((one: JsonBody) => one["type"] === type) : [];
}

const endedTitle = "This link is no longer valid";

describe("an enrollment ticket", () => {
  test("adds an authenticator app, shows the recovery code, and starts no session", async () => {
    const browser = service.browser();
    const link = await linkFor();
    expect(link).toMatch(/\/guardian\/enroll\?ticket=main\./);
    const start = await openLink(browser, link);
    expect(start).toMatchObject({ status: 200, title: "Set up two\u2011step verification" });
    expect([...start.html.matchAll(/name="factor" value="([a-z-]+)"/g)].map(([, type]) => type)).toEqual(["totp", "phone"]);
    expect(start.html).toMatch(/Two-step verification for .*a•••@example\.test/s);
    expect(start.html).not.toContain(service.ada.email);
    const { page, secret } = await addApp(browser, link);
    expect(page.title).toBe("Save your recovery code");
    expect(await typesOf()).toEqual(["recovery-code", "totp"]);
    const done = await submitLinkForm(browser, page, { action: "recovery-code-stored" });
    expect(done).toMatchObject({ status: 200, title: "Two-step verification is set up" });
    expect(await openLink(browser, link)).toMatchObject({ title: "Two-step verification is set up" });
    expect(await service.data.collections.sessions.find({ where: { tenant_id: "main" }, limit: 10 })).toEqual([]);
    expect(await eventsOf("gd_enrollment_complete")).toHaveLength(1);
    const mail = service.outbox.take(service.ada.email);
    expect(mail).toHaveProperty("subject", "A sign-in method was added to your account");
    const logs = JSON.stringify(await service.manage("GET", "/api/v2/logs?per_page=100"));
    expect(logs).not.toContain(secret);
    expect(logs).not.toContain(link.split("=")[1]);
  });

  test("adds a phone with the code that was sent to it", async () => {
    const browser = service.browser();
    const link = await linkFor({ factor: "phone" });
    const chosen = await submitLinkForm(browser, await openLink(browser, link), { action: "choose-new-factor", factor: "phone" });
    expect((await submitLinkForm(browser, chosen, { action: "enter-phone", phone: "12" })).html).toContain('id="problem"');
    const sent = await submitLinkForm(browser, chosen, { action: "enter-phone", phone: "+46701234567" });
    const code = codeOf(service.outbox.take("+46701234567"));
    const wrong = await submitLinkForm(browser, sent, { action: "confirm-new-factor", code: code === "000000" ? "111111" : "000000" });
    expect(wrong.html).toContain('id="problem"');
    expect(await typesOf()).toEqual([]);
    const done = await submitLinkForm(browser, wrong, { action: "confirm-new-factor", code });
    expect(done.title).toBe("Save your recovery code");
    expect(await typesOf()).toEqual(["phone", "recovery-code"]);
  });

  test("counts a wrong code once, however often its form is submitted", async () => {
    const browser = service.browser();
    const link = await linkFor();
    const { page, secret } = await chooseApp(browser, link);
    const submit = (): Promise<LinkPage> => submitLinkForm(browser, page, { action: "confirm-new-factor", code: "000000" });
    for (let clicks = 0; clicks < 3; clicks++) expect((await submit()).html).toContain('id="problem"');
    await Promise.all(Array.from({ length: 8 }, submit));
    expect(await eventsOf("gd_auth_failed")).toHaveLength(1);
    const done = await submitLinkForm(browser, page, { action: "confirm-new-factor", code: codeFor(secret) });
    expect(done.title).toBe("Save your recovery code");
  });

  test("limits the factors to the one that the caller chose", async () => {
    const browser = service.browser();
    const start = await openLink(browser, await linkFor({ factor: "otp" }));
    expect([...start.html.matchAll(/name="factor" value="([a-z-]+)"/g)].map(([, type]) => type)).toEqual(["totp"]);
    await submitLinkForm(browser, start, { action: "enter-phone", phone: "+46701234567" });
    expect(service.outbox.sent).not.toContainEqual(expect.objectContaining({ to: "+46701234567" }));
  });

  test("shows the key of an app only in the browser that adds it", async () => {
    const link = await linkFor();
    const browser = service.browser();
    const { secret } = await chooseApp(browser, link);
    expect((await openLink(browser, link)).html).toContain(secret.slice(0, 4));
    const stranger = await openLink(service.browser(), link);
    expect(stranger.title).toBe("Set up two\u2011step verification");
    expect(stranger.html).not.toContain(secret.match(/.{1,4}/g)?.join(" "));
  });

  test("is not consumed by opening it, and sends nothing", async () => {
    const link = await linkFor();
    const [before] = await service.data.collections.tickets.find({ where: { tenant_id: "main" }, limit: 1 });
    for (let i = 0; i < 3; i++) expect((await openLink(service.browser(), `${link}&factor=phone`)).status).toBe(200);
    expect(await service.data.collections.tickets.find({ where: { tenant_id: "main" }, limit: 1 })).toEqual([before]);
    expect(service.outbox.sent).toEqual([]);
    expect((await addApp(service.browser(), link)).page.status).toBe(200);
  });
});

describe("an enrollment ticket is rejected", () => {
  test("after it was used, in any other browser", async () => {
    const link = await linkFor({ allow_multiple_enrollments: true });
    await addApp(service.browser(), link);
    const stranger = service.browser();
    expect(await openLink(stranger, link)).toMatchObject({ status: 400, title: endedTitle });
    const form = { ticket: new URL(link).searchParams.get("ticket") ?? "", action: "choose-new-factor", factor: "phone" };
    expect((await stranger.post(link, { form })).status).toBe(303);
    expect(await typesOf()).toEqual(["recovery-code", "totp"]);
  });

  test("after five days", async () => {
    const link = await linkFor();
    service.clock.advance("5d");
    expect(await openLink(service.browser(), link)).toMatchObject({ status: 400, title: endedTitle });
  });

  test.each([
    ["a new password", { password: "another-password-1", connection: "Username-Password-Authentication" }],
    ["a new email address", { email: "new@acme.example", connection: "Username-Password-Authentication" }],
    ["a block", { blocked: true }],
  ])("after %s, also for a factor that waits for its code", async (_, change) => {
    const link = await linkFor();
    const browser = service.browser();
    const { page, secret } = await chooseApp(browser, link);
    jsonBody(await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(user)}`, change), 200);
    expect(await openLink(browser, link)).toMatchObject({ status: 400, title: endedTitle });
    await submitLinkForm(browser, page, { action: "confirm-new-factor", code: codeFor(secret) });
    expect(await typesOf()).toEqual([]);
  });

  test("if the user was deleted", async () => {
    const link = await linkFor();
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(user)}`);
    expect(await openLink(service.browser(), link)).toMatchObject({ status: 400, title: "We don’t recognize this link" });
  });

  test("by another tenant, and as another kind of ticket", async () => {
    const ticket = new URL(await linkFor()).searchParams.get("ticket") ?? "";
    const elsewhere = ticket.replace(/^main\./, "other.");
    expect((await openLink(service.browser(), `/guardian/enroll?ticket=${elsewhere}`)).status).toBe(400);
    const reset = await openLink(service.browser(), `/u/reset-password?ticket=${ticket}`);
    expect(reset.title).toBe("We don’t recognize this link");
    const { ticket: link } = jsonBody(await service.manage("POST", "/api/v2/tickets/password-change", { user_id: user }), 201);
    const [, other = ""] = /ticket=([^#]*)/.exec(String(link)) ?? [];
    expect((await openLink(service.browser(), `/guardian/enroll?ticket=${other}`)).status).toBe(400);
  });

  test("with a form of another site", async () => {
    const link = await linkFor();
    const browser = service.browser();
    const page = await openLink(browser, link);
    const response = await browser.post(formAction(page.html) ?? "", {
      form: { ...formFields(page.html), action: "choose-new-factor", factor: "totp" },
      headers: { origin: "https://evil.example" },
    });
    expect(response.status).toBe(403);
  });

  test("for a pending factor of another ticket or user", async () => {
    const first = await linkFor();
    const browser = service.browser();
    await chooseApp(browser, first);
    // The cookie of the browser names the factor of the first link.
    const second = await linkFor();
    expect((await openLink(browser, second)).title).toBe("Set up two\u2011step verification");
    user = service.bob.userId;
    expect((await openLink(browser, await linkFor())).title).toBe("Set up two\u2011step verification");
  });
});

test.each([{}, { factor: "otp" }])("no ticket with %j is created in a tenant without factors, and the error says why", async (body) => {
  for (const { name } of list(await service.manage("GET", "/api/v2/guardian/factors")))
    await service.manage("PUT", `/api/v2/guardian/factors/${String(name)}`, { enabled: false });
  service.clock.advance("10s");
  const response = await service.manage("POST", path, { user_id: user, ...body });
  expectError(response, 400, "invalid_request", /no factor is enabled that users can add here/);
});

describe("a user who has a factor", () => {
  let secret: string;
  beforeEach(async () => {
    ({ secret } = await enrollApp(service, service.browser()));
    await setPolicies(service, []);
    service.clock.advance("31s");
  });

  test("gets no ticket unless the caller allows more factors", async () => {
    expectError(await service.manage("POST", path, { user_id: user }), 409, "conflict", "allow_multiple_enrollments");
    jsonBody(await service.manage("PUT", "/api/v2/guardian/factors/sms", { enabled: false }), 200);
    service.clock.advance("10s");
    expectError(
      await service.manage("POST", path, { user_id: user, allow_multiple_enrollments: true, factor: "phone" }),
      400,
      "invalid_request",
      "phone",
    );
  });

  test("adds a second authenticator app with a ticket that allows more factors", async () => {
    const browser = service.browser();
    const link = await linkFor({ allow_multiple_enrollments: true, factor: "otp" });
    await submitLinkForm(browser, await openLink(browser, link), { action: "enter-factor-code", code: codeFor(secret) });
    expect((await addApp(browser, link)).page.title).toBe("Two-step verification is set up");
    expect(await typesOf()).toEqual(["recovery-code", "totp", "totp"]);
  });

  test("passes it before adding another one", async () => {
    const link = await linkFor({ allow_multiple_enrollments: true });
    const browser = service.browser();
    const page = await openLink(browser, link);
    expect(page.actions).toEqual(["enter-factor-code"]);
    // The mailbox that received the link is no factor.
    expect([...page.html.matchAll(/name="factor" value="([a-z-]+)"/g)].map(([, type]) => type)).toEqual(["recovery-code"]);
    const early = await submitLinkForm(browser, page, { action: "enter-phone", phone: "+46701234567" });
    expect(early.actions).toEqual(["enter-factor-code"]);
    const passed = await submitLinkForm(browser, page, { action: "enter-factor-code", code: codeFor(secret) });
    expect([...passed.html.matchAll(/name="factor" value="([a-z-]+)"/g)].map(([, type]) => type)).toEqual(["totp", "phone"]);
    expect((await openLink(service.browser(), link)).actions).toEqual(["enter-factor-code"]);
    await submitLinkForm(browser, passed, { action: "enter-phone", phone: "+46701234567" });
    const sent = await openLink(browser, link);
    const done = await submitLinkForm(browser, sent, {
      action: "confirm-new-factor",
      code: codeOf(service.outbox.take("+46701234567")),
    });
    expect(done.title).toBe("Two-step verification is set up");
    expect(await typesOf()).toEqual(["phone", "recovery-code", "totp"]);
  });

  test("passes it also if the email address of the account is not verified", async () => {
    user = (await addUnverifiedUser(service, "new@acme.example")).userId;
    const methods = `/api/v2/users/${encodeURIComponent(user)}/authentication-methods`;
    jsonBody(await service.manage("POST", methods, { type: "totp", totp_secret: secret }), 201);
    const browser = service.browser();
    const page = await openLink(browser, await linkFor({ allow_multiple_enrollments: true }));
    expect(page.actions).toEqual(["enter-factor-code"]);
    expect((await submitLinkForm(browser, page, { action: "enter-phone", phone: "+46701234567" })).actions).toEqual(["enter-factor-code"]);
  });

  test("passes a passkey as well, although a password reset does not require it", async () => {
    user = service.bob.userId;
    const { publicKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    const x = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
    // A COSE key (RFC 9052 section 7) as a CBOR map.
    const cose = Uint8Array.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20, ...x]);
    const passkey = {
      type: "passkey",
      key_id: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url"),
      public_key: Buffer.from(cose).toString("base64"),
      relying_party_identifier: "id.example.test",
    };
    jsonBody(await service.manage("POST", `/api/v2/users/${encodeURIComponent(user)}/authentication-methods`, passkey), 201);
    const browser = service.browser();
    const page = await openLink(browser, await linkFor());
    expect(page.title).toBe("Use your passkey");
    expect((await submitLinkForm(browser, page, { action: "choose-new-factor", factor: "totp" })).title).toBe(page.title);
  });

  test("cannot use a ticket while changes of factors are frozen, and keeps it", async () => {
    user = service.bob.userId;
    const link = await linkFor();
    const where = { tenant_id: "main", user_id: user };
    await service.data.collections.users.update(where, { set: { factors_frozen_until: service.clock.now() + 60_000 } });
    const browser = service.browser();
    const page = await openLink(browser, link);
    expect(page.status).toBe(400);
    expect(page.html).toContain("Changes of the account are paused");
    service.clock.advance("2m");
    expect((await addApp(browser, link)).page.title).toBe("Save your recovery code");
  });

  test("cannot use a ticket from before the factor", async () => {
    user = service.bob.userId;
    const [first, second] = [await linkFor(), await linkFor()];
    await addApp(service.browser(), first);
    expect(await openLink(service.browser(), second)).toMatchObject({ status: 400, title: endedTitle });
  });
});

describe("a security key", () => {
  let device: SoftwareAuthenticator;

  beforeEach(async () => {
    jsonBody(await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true }), 200);
    device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
  });

  /** Returns the options for the browser on a page. */
  function keyOptions({ html }: LinkPage): unknown {
    const [, options = ""] = /data-key-options="([^"]*)"/.exec(html) ?? [];
    return JSON.parse(options.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  }

  async function addKey(browser: Browser, link: string): Promise<{ readonly page: LinkPage; readonly response: string }> {
    const chosen = await submitLinkForm(browser, await openLink(browser, link), {
      action: "choose-new-factor",
      factor: "webauthn-roaming",
    });
    const response = JSON.stringify(await device.create(creationOptionsSchema.parse(keyOptions(chosen))));
    return { page: await submitLinkForm(browser, chosen, { action: "confirm-key", response }), response };
  }

  test("must verify the user if the tenant requires it", async () => {
    jsonBody(await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming/settings", { userVerification: "required" }));
    const browser = service.browser();
    const choice = { action: "choose-new-factor", factor: "webauthn-roaming" };
    const chosen = await submitLinkForm(browser, await openLink(browser, await linkFor()), choice);
    const options = creationOptionsSchema.parse(keyOptions(chosen));
    expect(options.authenticatorSelection.userVerification).toBe("required");
  });

  test("is added with a ticket, and passed before another factor is added", async () => {
    const { page, response } = await addKey(service.browser(), await linkFor());
    expect(page.title).toBe("Save your recovery code");
    expect(await typesOf()).toEqual(["recovery-code", "webauthn-roaming"]);
    expect(response).not.toBe("");
    const link = await linkFor({ allow_multiple_enrollments: true });
    const browser = service.browser();
    const challenge = await openLink(browser, link);
    expect(challenge.title).toBe("Use your security key");
    const wrong = await submitLinkForm(browser, challenge, { action: "use-key", response: "{}" });
    expect(wrong.title).toBe("Use your security key");
    const answer = JSON.stringify(await device.get(requestOptionsSchema.parse(keyOptions(wrong))));
    const passed = await submitLinkForm(browser, wrong, { action: "use-key", response: answer });
    expect(passed.title).toBe("Set up two\u2011step verification");
    // A response counts once, and for one link.
    const other = service.browser();
    const replayed = await submitLinkForm(other, await openLink(other, link), { action: "use-key", response: answer });
    expect(replayed.title).toBe("Use your security key");
  });

  test("is rejected with the response for another link", async () => {
    const { response } = await addKey(service.browser(), await linkFor());
    user = service.bob.userId;
    const link = await linkFor();
    const browser = service.browser();
    const page = await submitLinkForm(browser, await openLink(browser, link), { action: "confirm-key", response });
    expect(page.html).toContain('id="problem"');
    expect(await typesOf()).toEqual([]);
  });
});

test("of 32 parallel uses of a ticket, one adds its factor", async () => {
  const link = await linkFor();
  const started = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const browser = service.browser();
      return { browser, ...(await chooseApp(browser, link)) };
    }),
  );
  await Promise.all(
    started.map(({ browser, page, secret }) => submitLinkForm(browser, page, { action: "confirm-new-factor", code: codeFor(secret) })),
  );
  expect(await typesOf()).toEqual(["recovery-code", "totp"]);
  const pages = await Promise.all(started.map(({ browser }) => openLink(browser, link)));
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await eventsOf("gd_enrollment_complete")).toHaveLength(1);
});

test("after a crash at any write, the same browser completes the enrollment and sees the valid recovery code", async () => {
  let names: string[] = [];
  let crashAt: number | undefined;
  const open = (): Promise<FactorService> => {
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
      const done = await run();
      // The ticket for the mail about the change is stored after the response.
      if (name === "logs.insert" || name === "tickets.insert") return done;
      names.push(name);
      if (crashAt !== undefined && --crashAt === 0) {
        crashAt = undefined;
        throw new Error("lost");
      }
      return done;
    });
    return openFactorService({ data, logger: { log() {} } });
  };
  const writes = await forEachWrite(async (write) => {
    service = await open();
    user = service.ada.userId;
    const link = await linkFor();
    const browser = service.browser();
    const { page, secret } = await chooseApp(browser, link);
    names = [];
    crashAt = write;
    const form = { ...formFields(page.html), action: "confirm-new-factor", code: codeFor(secret) };
    const { status } = await browser.post(formAction(page.html) ?? "", { form });
    expect(status, `after write ${write}`).toBe(write === Infinity ? 303 : 500);
    const started = names.length;
    service.clock.advance("31s");
    let now = await openLink(browser, link);
    if (now.actions.includes("confirm-new-factor"))
      now = await submitLinkForm(browser, now, { action: "confirm-new-factor", code: codeFor(secret) });
    expect(now.title, `after write ${write}`).toBe("Save your recovery code");
    const { collections } = service.data;
    const [stored] = await collections.factors.find({ where: { tenant_id: "main", user_id: user, type: "recovery-code" }, limit: 1 });
    const [, code = ""] = /<code dir="ltr">([A-Z0-9 ]+)<\/code>/.exec(now.html) ?? [];
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code.replaceAll(" ", "")));
    expect(stored?.code_hash).toBe(Buffer.from(digest).toString("base64url"));
    expect(await typesOf()).toEqual(["recovery-code", "totp"]);
    return started;
  });
  expect(writes).toBeGreaterThan(3);
});

describe("the mail with an enrollment ticket", () => {
  test("goes to the user's address in the language of the request, and contains the link", async () => {
    const link = await linkFor({ send_mail: true, email_locale: "de" });
    const mail = service.outbox.take(service.ada.email);
    expect(mail).toMatchObject({ template: "enrollment_email", subject: "Bestätigung in zwei Schritten für Ihr Konto einrichten", link });
    expect((await openLink(service.browser(), link)).html).toContain('<html lang="de"');
    expect(await eventsOf("gd_send_email")).toHaveLength(1);
  });

  test("goes only to another address if the caller names one, and does not verify it", async () => {
    await linkFor({ send_mail: true, email: "ada@elsewhere.example" });
    expect(service.outbox.sent.map(({ to }) => to)).toEqual(["ada@elsewhere.example"]);
    const { email } = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(user)}`), 200);
    expect(email).toBe(service.ada.email);
  });

  test("is not sent unless the caller asks for it", async () => {
    await linkFor({ email: "ada@elsewhere.example" });
    expect(service.outbox.sent).toEqual([]);
  });
});

describe("creating an enrollment ticket", () => {
  test("returns an id that gives no access", async () => {
    const { ticket_id: id } = jsonBody(await service.manage("POST", path, { user_id: user }), 200);
    expect(id).toMatch(/^gten_/);
    expect((await openLink(service.browser(), `/guardian/enroll?ticket=${String(id)}`)).status).toBe(400);
    expect((await openLink(service.browser(), `/guardian/enroll?ticket=main.${String(id)}`)).status).toBe(400);
  });

  test.each(["push-notification", "email", "webauthn-platform", "duo"])("rejects the factor %s", async (factor) => {
    expectError(await service.manage("POST", path, { user_id: user, factor }), 400, "invalid_request", "factor");
  });

  test("rejects a factor that the tenant does not enable", async () => {
    await service.manage("PUT", "/api/v2/guardian/factors/otp", { enabled: false });
    expectError(await service.manage("POST", path, { user_id: user, factor: "otp" }), 400, "invalid_request", "otp");
  });

  test("requires its scope and a user of the tenant", async () => {
    const other = await managerOf(service, "other");
    expectError(await other("POST", path, { user_id: user }), 404, "not_found", "user");
    expectError(await service.manage("POST", path, { user_id: "auth0|unknown" }), 404, "not_found", "user");
  });
});
