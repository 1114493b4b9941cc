import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { obtainTokens, openService, type LoginService } from "../support/flow.ts";
import { openSection, signInBrowser, submitForm } from "./page.ts";

/** The fields of `user_metadata` that a tenant lets its users change. */

const fields = [
  { name: "team", label: { en: "Team", de: "Gruppe" }, type: "text", max_length: 12 },
  { name: "news", label: "Newsletter", type: "boolean" },
  { name: "size", label: "Size", type: "choice", choices: [{ value: "s", label: { en: "Small", de: "Klein" } }, { value: "m" }] },
];
const names = "metadata-team metadata-news metadata-size";
const settingsPath = "/api/v2/tenants/settings";

let service: LoginService;
let browser: Browser;
let userPath: string;

const setFields = async (metadata_fields: unknown, sections: object = { profile: "shown" }): Promise<{ readonly status: number }> => {
  const reply = await service.manage("PATCH", settingsPath, {
    account_page: { client_id: service.web.clientId, sections, metadata_fields },
  });
  service.clock.advance("6s");
  return reply;
};
const store = async (user_metadata: object): Promise<void> => void jsonBody(await service.manage("PATCH", userPath, { user_metadata }));
const stored = async () => jsonBody(await service.manage("GET", userPath))["user_metadata"];

beforeEach(async () => {
  service = await openService();
  userPath = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  expect((await setFields(fields)).status).toBe(200);
  browser = await signInBrowser(service, service.ada);
});

/** Submits the form of the profile. */
async function save(more: { readonly [field: string]: string }): Promise<URL | undefined> {
  const form = await openSection(browser, "profile", { view: "edit" });
  return (await submitForm(browser, form, { action: "save-profile", name: "Ada", ...more })).location;
}

describe("the profile section", () => {
  test("shows and changes the fields of the tenant, in the language of the page, and no other metadata", async () => {
    await store({ team: "Red", secret_note: "hidden-note", size: "s" });
    const shown = await openSection(browser, "profile");
    for (const text of ["<bdi>Team</bdi>", "<bdi>Red</bdi>", "<bdi>Small</bdi>"]) expect(shown.html).toContain(text);
    expect(shown.html).not.toContain("hidden-note");
    const saved = await save({
      "metadata-team": "  Deep \n Blue ",
      "metadata-news": "true",
      "metadata-size": "m",
      "metadata-secret_note": "x",
    });
    expect(saved?.searchParams.get("done")).toBe("saved");
    expect(await stored()).toEqual({ team: "Deep Blue", news: true, size: "m", secret_note: "hidden-note" });
    const [event] = await auditEvents(service.manage, "my_account_profile_succeeded");
    expect(event).toMatchObject({ details: { fields: expect.arrayContaining(["user_metadata.team", "user_metadata.news"]) } });
    expect(JSON.stringify(event)).not.toContain("Deep Blue");
    await service.manage("PATCH", userPath, { locale: "de" });
    expect((await openSection(browser, "profile")).html).toContain("<bdi>Gruppe</bdi>");
  });

  test("removes an empty field, and changes no field that the form did not show or whose value it could not show", async () => {
    await store({ team: { written: "by the app" }, news: true, size: "m" });
    await save({ metadata_fields: "metadata-size", "metadata-size": "" });
    expect(await stored()).toEqual({ team: { written: "by the app" }, news: true });
    await save({ "metadata-news": "true" });
    expect(await stored()).toEqual({ team: { written: "by the app" }, news: true });
    await save({});
    expect(await stored()).toEqual({ team: { written: "by the app" }, news: true });
    // An unchecked box is not sent.
    const form = await openSection(browser, "profile", { view: "edit" });
    await browser.post("/u/account/profile", { form: withoutBox(form.html) });
    expect(await stored()).toEqual({ team: { written: "by the app" }, news: false });
  });

  test("saves choices and texts with any white space, and rewrites no text that the user leaves as it is", async () => {
    const choices = [{ value: "Large  (L)" }, { value: "全角\u3000文字" }, { value: "two\nlines" }];
    await setFields([fields[0], { name: "size", label: "Size", type: "choice", choices }]);
    await store({ team: "a\nb  c" });
    for (const { value } of choices) {
      const sent = { nickname: value.slice(0, 2), "metadata-size": value.replaceAll("\n", "\r\n") };
      expect((await save(sent))?.searchParams.get("done")).toBe("saved");
      expect(await stored()).toEqual({ team: "a\nb  c", size: value });
    }
  });

  test("a form that was opened before another change reverts nothing", async () => {
    await store({ team: "Red", size: "s" });
    const form = await openSection(browser, "profile", { view: "edit" });
    await store({ team: "Blue", news: true, size: null });
    const unchecked = { ...withoutBox(form.html), "metadata-team": "Red", "metadata-size": "s", nickname: "ace" };
    await browser.post("/u/account/profile", { form: unchecked });
    expect(await stored()).toEqual({ team: "Blue", news: true });
    await browser.post("/u/account/profile", { form: { ...unchecked, "metadata-team": "Green" } });
    expect(await stored()).toEqual({ team: "Green", news: true });
  });

  test("a field with the name of an object's member is not set until the user sets it", async () => {
    await setFields(["constructor", "toString"].map((name, at) => ({ name, label: name, type: at === 0 ? "text" : "boolean" })));
    const form = await openSection(browser, "profile", { view: "edit" });
    await browser.post("/u/account/profile", { form: { ...withoutBox(form.html), nickname: "ace" } });
    expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toMatchObject([
      { details: { fields: ["name", "nickname"] } },
    ]);
    await save({ "metadata-constructor": "x", "metadata-toString": "true" });
    expect(await stored()).toEqual({ constructor: "x", toString: true });
  });

  test.each([
    ["a text that is too long", { "metadata-team": "x".repeat(13) }],
    ["a value that is no choice", { "metadata-size": "xl" }],
    ["a value of an object's member", { "metadata-size": "constructor" }],
    ["NUL", { "metadata-team": "a\0" }],
  ])("rejects %s, and changes nothing", async (_, sent) => {
    const location = await save({ nickname: "changed", ...sent });
    expect(location?.searchParams.get("problem") ?? "value-invalid").toBe("value-invalid");
    expect(await stored()).toEqual({});
    expect(jsonBody(await service.manage("GET", userPath))).not.toHaveProperty("nickname", "changed");
  });

  test("changes nothing if it is read-only, and in a form of another user", async () => {
    const eve = await signInBrowser(service, await service.addUser("eve@example.test"));
    const form = await openSection(eve, "profile", { view: "edit" });
    const crossed = await submitForm(browser, form, { action: "save-profile", name: "x", metadata_fields: names, "metadata-team": "x" });
    expect(crossed.location?.searchParams.get("done")).not.toBe("saved");
    const own = await openSection(browser, "profile", { view: "edit" });
    await setFields(fields, { profile: "read_only" });
    await submitForm(browser, own, { action: "save-profile", name: "x", metadata_fields: names, "metadata-team": "x" });
    expect(await stored()).toEqual({});
  });
});

describe("/me/v1/profile", () => {
  const audience = "https://id.example.test/me/";
  const scope = "openid read:me:profile update:me:profile";
  let token: string;
  const patch = (user_metadata: unknown) => service.call("PATCH", "/me/v1/profile", { token, body: { user_metadata } });

  beforeEach(async () => {
    token = (await obtainTokens(service, service.spa, service.ada, { audience, scope })).access;
  });

  test("returns and changes the fields, and no other metadata", async () => {
    await store({ team: "Red", other: "hidden" });
    expect(jsonBody(await service.call("GET", "/me/v1/profile", { token }))["user_metadata"]).toEqual({ team: "Red" });
    expect(jsonBody(await patch({ team: null, news: false, size: "s" }))["user_metadata"]).toEqual({ news: false, size: "s" });
    expect(await stored()).toEqual({ other: "hidden", news: false, size: "s" });
  });

  test.each<{ readonly sent: unknown }>([
    { sent: { other: "x" } },
    { sent: { team: "" } },
    { sent: { team: "x".repeat(13) } },
    { sent: { team: 1 } },
    { sent: { news: "true" } },
    { sent: { size: "xl" } },
    { sent: { size: ["s"] } },
    { sent: { constructor: "x" } },
    { sent: "text" },
    { sent: [] },
    { sent: null },
  ])("rejects $sent", async ({ sent }) => {
    expect((await patch(sent)).status).toBe(400);
    expect(await stored()).toEqual({});
  });

  test("null removes a name, and an empty text is rejected", async () => {
    const change = (given_name: string | null) => service.call("PATCH", "/me/v1/profile", { token, body: { given_name } });
    expect(jsonBody(await change("Ada"))["given_name"]).toBe("Ada");
    expect((await change("")).status).toBe(400);
    expect(jsonBody(await change(null))).not.toHaveProperty("given_name");
  });

  test("rejects a change in a section that is read-only, and fields that the tenant removed", async () => {
    await setFields(fields, { profile: "read_only" });
    expect((await patch({ team: "x" })).status).toBe(403);
    await setFields([]);
    expect((await patch({ team: "x" })).status).toBe(400);
    expect(jsonBody(await service.call("GET", "/me/v1/profile", { token }))).not.toHaveProperty("user_metadata");
  });

  test("keeps the limit for the metadata of a user", async () => {
    const [small, many] = [
      "x".repeat(1000),
      Array.from({ length: 20 }, (_, at) => ({ name: `f${at}`, label: "F", type: "text", max_length: 1000 })),
    ];
    await setFields(many);
    await store({ large: "x".repeat(60_000) });
    const reply = await patch(Object.fromEntries(many.map(({ name }) => [name, small])));
    expect(reply).toMatchObject({ status: 400, body: { title: expect.any(String) } });
    expect(await stored()).not.toHaveProperty("f0");
  });
});

test.each([
  [[{ name: "a", type: "text" }]],
  [[{ name: "a b", label: "A", type: "text" }]],
  [[{ name: "__proto__", label: "A", type: "text" }]],
  [[{ name: "a", label: "", type: "text" }]],
  [[{ name: "a", label: {}, type: "text" }]],
  [[{ name: "a", label: { "not a tag": "A" }, type: "text" }]],
  [[{ name: "a", label: "A", type: "text", max_length: 1001 }]],
  [[{ name: "a", label: "A", type: "number" }]],
  [[{ name: "a", label: "A", type: "choice", choices: [] }]],
  [[{ name: "a", label: "A", type: "choice", choices: [{ value: "x" }, { value: "x" }] }]],
  [Array.from({ length: 2 }, () => ({ name: "a", label: "A", type: "boolean" }))],
  [Array.from({ length: 21 }, (_, at) => ({ name: `a${at}`, label: "A", type: "boolean" }))],
])("rejects the definition %j", async (definition) => {
  expect((await setFields(definition)).status).toBe(400);
});

/** Returns the fields of the form with the box unchecked. */
function withoutBox(html: string): { readonly [name: string]: string } {
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(hidden), action: "save-profile", name: "Ada" };
}
