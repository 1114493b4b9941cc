import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, list, managerOf, stringMember, type Manager } from "../support/api.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

/** An administrator's change of factors is mailed to the user and written to the log, once. */

let service: TestPostern;
let outbox: Outbox;
let manage: Manager;
let ann: string;

beforeEach(async () => {
  outbox = createOutbox();
  service = await createTestPostern({ messages: { mail: outbox.mail } });
  manage = await managerOf(service);
  const body = { connection: "Username-Password-Authentication", email: "ann@example.test" };
  ann = `/api/v2/users/${encodeURIComponent(stringMember(await manage.create("/api/v2/users", body), "user_id"))}`;
});

const totp = { type: "totp", totp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" };
const phone = { type: "phone", phone_number: "+15555550100" };

/** Adds a factor, and forgets its mail. */
async function add(body: object): Promise<string> {
  const id = stringMember(await manage.create(`${ann}/authentication-methods`, body), "id");
  outbox.sent.splice(0);
  return id;
}

/** Returns the mails and the log events of factors since the last call of `add`. */
async function reported(): Promise<{ readonly mails: readonly unknown[]; readonly events: readonly unknown[] }> {
  const events = list(await manage("GET", "/api/v2/logs?per_page=100&sort=date:1"));
  return {
    mails: outbox.sent.map((mail) => ("subject" in mail ? [mail.to, mail.subject] : [])),
    events: events.flatMap(({ type }) => (String(type).startsWith("gd_") ? [type] : [])),
  };
}

const methodPath = (id: string): string => `${ann}/authentication-methods/${encodeURIComponent(id)}`;
const removed = ["ann@example.test", "A sign-in method was removed from your account"];

describe("a change of factors by an administrator is reported to the user", () => {
  test("when a factor is added", async () => {
    await manage.create(`${ann}/authentication-methods`, totp);
    expect(await reported()).toEqual({
      mails: [["ann@example.test", "A sign-in method was added to your account"]],
      events: ["gd_enrollment_complete"],
    });
    const [mail] = outbox.sent;
    expect(mail?.text).toContain("An administrator made this change.");
    expect(mail?.text).toContain("authenticator app");
    // The address of the caller would mean nothing to the user.
    expect(mail?.text).not.toContain("192.0.2.");
  });

  test("when factors are replaced: one mail for those that were added, and one for those that were removed", async () => {
    await add(totp);
    expect((await manage("PUT", `${ann}/authentication-methods`, [phone])).status).toBe(200);
    expect(await reported()).toEqual({
      mails: [["ann@example.test", "A sign-in method was added to your account"], removed],
      events: ["gd_enrollment_complete", "gd_enrollment_complete", "gd_unenroll"],
    });
  });

  test("when a factor gets another name or channel, and not when they stay the same", async () => {
    const id = await add(phone);
    jsonBody(await manage("PATCH", methodPath(id), { preferred_authentication_method: "sms" }), 200);
    expect((await reported()).mails).toEqual([]);
    jsonBody(await manage("PATCH", methodPath(id), { preferred_authentication_method: "voice" }), 200);
    expect(await reported()).toEqual({
      mails: [["ann@example.test", "A sign-in method of your account was changed"]],
      events: ["gd_enrollment_complete", "gd_update_device_account"],
    });
  });

  test.each([
    ["/authentication-methods/:id", (id: string) => methodPath(id)],
    ["/authentication-methods", () => `${ann}/authentication-methods`],
    ["/authenticators", () => `${ann}/authenticators`],
    ["/multifactor/google-authenticator", () => `${ann}/multifactor/google-authenticator`],
    ["/guardian/enrollments/:id", (id: string) => `/api/v2/guardian/enrollments/${encodeURIComponent(id)}`],
  ])("when a factor is removed by DELETE %s, and once if the call is repeated", async (_, pathOf) => {
    const id = await add(totp);
    await Promise.all(Array.from({ length: 4 }, async () => manage("DELETE", pathOf(id))));
    expect((await manage("DELETE", pathOf(id))).status).toBe(204);
    expect(await reported()).toEqual({ mails: [removed], events: ["gd_enrollment_complete", "gd_unenroll"] });
  });

  test("with one mail and an event for each factor when all are removed", async () => {
    await add(totp);
    // The factors are listed in the order of their creation.
    service.clock.advance("1s");
    await add(phone);
    await manage("DELETE", `${ann}/authentication-methods`);
    expect(await reported()).toEqual({
      mails: [removed],
      events: ["gd_enrollment_complete", "gd_enrollment_complete", "gd_unenroll", "gd_unenroll"],
    });
    expect(outbox.sent[0]?.text).toContain("authenticator app, phone");
  });

  test("when the recovery code is created, and when it is replaced", async () => {
    await add(totp);
    const path = `${ann}/recovery-code-regeneration`;
    const codes = [await manage("POST", path), await manage("POST", path)].map((reply) => jsonBody(reply, 200)["recovery_code"]);
    expect((await reported()).mails).toEqual([
      ["ann@example.test", "A sign-in method was added to your account"],
      ["ann@example.test", "A sign-in method of your account was replaced"],
    ]);
    for (const code of codes) expect(JSON.stringify(outbox.sent)).not.toContain(code);
  });

  test("at the email address of before, and not if nothing changed", async () => {
    await manage("DELETE", `${ann}/authentication-methods`);
    await manage("DELETE", methodPath("totp|dev_0123456789abcdef"));
    await manage("DELETE", `${ann}/multifactor/duo`);
    expect((await manage("PUT", `${ann}/authentication-methods`, [])).status).toBe(200);
    expect(await reported()).toEqual({ mails: [], events: [] });
  });
});
