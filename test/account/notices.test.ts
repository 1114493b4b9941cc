import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { enrollApp, openFactorService, setPolicies, type FactorService } from "../factors/support.ts";
import { openLink } from "../support/links.ts";
import { addPhone, listedFactors, openSecurity, submitSecurity } from "./support.ts";

/** The messages about changes of factors to a user without an email address. */

const own = "+4915100000001";
const first = "+4915100000002";
const second = "+4915100000003";

let service: FactorService;
let browser: Browser;

beforeEach(async () => {
  service = await openFactorService();
  browser = service.browser();
  await enrollApp(service, browser);
  await setPolicies(service, []);
  await setUser({ email: "", email_verified: false });
  service.outbox.sent.length = 0;
});

async function setUser(set: { readonly [column: string]: string | boolean }): Promise<void> {
  const where = { tenant_id: "main", user_id: service.ada.userId };
  expect(await service.data.collections.users.update(where, { set, add: { revision: 1 } })).toBe(1);
}

/** Returns the recipients of the messages about changes. Other messages contain a code. */
const recipients = (): readonly string[] => service.outbox.sent.filter(({ code }) => code === undefined).map(({ to }) => to);

/** Returns the members `notified` of the newest events, oldest first. */
async function notified(type: string, count: number): Promise<readonly unknown[]> {
  const events = await auditEvents(service.manage, type);
  return events.slice(0, count).map(({ details }: JsonBody) => Object(details)["notified"]);
}

async function removeFactor(number: number): Promise<void> {
  const id = listedFactors(await openSecurity(browser))[number] ?? "";
  await submitSecurity(browser, await openSecurity(browser, { view: "remove", id }), { action: "remove-factor" });
}

describe("a user without an email address", () => {
  test("receives the message at the verified phone number of the account, with a link that works", async () => {
    await setUser({ phone_number: own, phone_verified: true });
    await addPhone(service, browser, first);
    await expect.poll(recipients).toEqual([own]);
    const { text } = service.outbox.take(own);
    expect(text).toContain("now has another method: phone");
    const [link = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(text) ?? [];
    expect(await openLink(service.browser(), link)).toMatchObject({ status: 200, actions: ["protect"] });
    expect(await notified("gd_enrollment_complete", 1)).toEqual([undefined]);
  });

  test("receives the message at a phone that was enrolled before the change, and never only at the new one", async () => {
    await addPhone(service, browser, first);
    expect(recipients()).toEqual([]);
    expect(await notified("gd_enrollment_complete", 1)).toEqual([false]);
    service.clock.advance("1s");
    await addPhone(service, browser, second);
    await expect.poll(recipients).toEqual([first]);
    expect(await notified("gd_enrollment_complete", 1)).toEqual([undefined]);
  });

  test("receives the message about a removed phone at that phone", async () => {
    await addPhone(service, browser, first);
    await removeFactor(1);
    await expect.poll(recipients).toEqual([first]);
    expect(await notified("gd_unenroll", 1)).toEqual([undefined]);
  });

  test("receives a message about a change by an administrator, or the event says that no message was sent", async () => {
    const path = `/api/v2/users/${service.ada.userId}/authenticators`;
    await setUser({ phone_number: own, phone_verified: true });
    expect((await service.manage("DELETE", path)).status).toBe(204);
    await expect.poll(recipients).toEqual([own]);
    await setUser({ phone_verified: false });
    const methods = `/api/v2/users/${service.ada.userId}/authentication-methods`;
    expect((await service.manage("POST", methods, { type: "phone", name: "Work", phone_number: second })).status).toBe(201);
    expect(recipients()).toEqual([own]);
    expect(await notified("gd_enrollment_complete", 1)).toEqual([false]);
  });
});
