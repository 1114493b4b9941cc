import { beforeEach, expect, test, vi } from "vitest";
import { h } from "preact";
import type { FactorPages } from "./kinds/kind.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../../../../../test/support/api.ts";
import { claimsOf, redirectOf, sendStep, submitStep } from "../../../../../test/support/flow.ts";
import {
  exchangeLoginCode,
  openFactorService,
  screenOf,
  setPolicies,
  signInToFactor,
  type FactorService,
} from "../../../../../test/factors/support.ts";

// The invented factor: users choose one of four pictures. Its whole definition is in this file. The three mocks are its
// lines in the three tables.

vi.mock(import("../../model/factors/kinds.ts"), async (load) => {
  const real = await load();
  const { codeEvents } = await import("../../model/factors/kinds/kind.ts");
  const picture = {
    type: "picture",
    api: "picture",
    mailName: "factorDevice",
    tenant: "picture",
    amr: ["kba"],
    uses: { resistsPhishing: false, permitsChanges: true, protectsAlone: true, permitsTrust: true },
    events: codeEvents,
  } as const;
  return { ...real, factorKinds: [picture, ...real.factorKinds] as unknown as typeof real.factorKinds };
});

vi.mock(import("../../identity/factors/kinds.ts"), async (load) => {
  const real = await load();
  const picture = {
    verify: async (
      _: unknown,
      { code, factor }: { code: string; factor: { candidates: readonly { id: string; name: string | null }[] } },
    ) => {
      const right = factor.candidates.find(({ name }) => name === code);
      return right && { factorId: right.id };
    },
  };
  return { ...real, codeKinds: { ...real.codeKinds, picture } };
});

vi.mock(import("./kinds.ts"), async (load) => {
  const real = await load();
  const { enrollFactor } = await import("../../identity/factors/enroll-factor.ts");
  const { ConfirmForm } = await import("./enrollment-parts.tsx");
  const picture = {
    label: () => "securityDevice",
    title: () => "securityDevice",
    use: () => "securityDevice",
    Lead: () => h("p", { class: "lead" }, "Which picture is yours?"),
    input: "text",
    enrollment: {
      name: () => "securityDevice",
      hint: "addFactorTotpHint",
      title: "securityDevice",
      Content: (drawing) => h("div", {}, "Remember the elephant.", h(ConfirmForm, drawing)),
      start: (context) => enrollFactor(context.tenant, context, { type: "picture" as "totp", name: "elephant" }),
      pending: () => Promise.resolve({ factor: "picture" as "totp" }),
    },
  } satisfies FactorPages;
  return { ...real, factorPages: { ...real.factorPages, picture } };
});

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
  expect((await service.manage("PUT", "/api/v2/guardian/factors/picture", { enabled: true })).status).toBe(200);
});

/** Adds the factor in a login, and returns the tokens. */
async function addPicture(): Promise<JsonBody> {
  const browser = service.browser();
  const { state, reply } = await signInToFactor(service, browser);
  expect(screenOf(reply)["options"]).toContain("picture");
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "picture" }));
  expect(chosen).toMatchObject({ name: "add-factor", factor: "picture" });
  expect(await (await sendStep(browser, state, { action: "confirm-new-factor", code: "lion" })).json()).toMatchObject({
    error: "invalid_grant",
  });
  await submitStep(browser, state, { action: "confirm-new-factor", code: "elephant" });
  const done = redirectOf(await submitStep(browser, state, { action: "recovery-code-stored" }));
  if (done.kind !== "response") throw new Error("the login was not completed");
  return exchangeLoginCode(service, String(done.parameters["code"]));
}

test("users add a factor that is a folder and a line in each table, and pass it in the next login", async () => {
  expect(claimsOf(stringMember(await addPicture(), "id_token"))).toMatchObject({ amr: ["pwd", "kba", "mfa"] });
  const browser = service.browser();
  const { state, reply } = await signInToFactor(service, browser);
  expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "picture", others: ["email", "recovery-code"] });
  expect(await (await sendStep(browser, state, { action: "enter-factor-code", code: "lion" })).json()).toMatchObject({
    error: "invalid_grant",
  });
  const done = redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: "elephant" }));
  expect(done.kind).toBe("response");
});

test("every attempt has its audit event", async () => {
  await addPicture();
  const types = list(await service.manage("GET", "/api/v2/logs?per_page=100"))
    .map(({ type }) => String(type))
    .filter((type) => type.startsWith("gd_"));
  expect(types.toSorted()).toEqual(["gd_auth_failed", "gd_auth_succeed", "gd_enrollment_complete", "gd_start_enroll"]);
});

test("the account page lists it, and asks for it before a change", async () => {
  await addPicture();
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  await submitStep(browser, state, { action: "enter-factor-code", code: "elephant" });
  const overview = await browser.get("/u/account/security");
  expect(await overview.text()).toContain("elephant");
  service.clock.advance("20m");
  const challenge = await (await browser.get("/u/account/security?view=add")).text();
  expect(challenge).toContain("Which picture is yours?");
});

test("a link that resets the password asks for it", async () => {
  await addPicture();
  const created = await service.manage("POST", "/api/v2/tickets/password-change", { user_id: service.ada.userId });
  const page = await service.browser().get(stringMember(jsonBody(created, 201), "ticket"));
  expect(await page.text()).toContain("Which picture is yours?");
});

test("the Management API lists it as an authentication method, and deletes it", async () => {
  await addPicture();
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
  const methods = list(await service.manage("GET", path));
  expect(methods.map(({ type }) => String(type)).toSorted()).toEqual(["picture", "recovery-code"]);
  const picture = methods.find(({ type }) => type === "picture");
  expect((await service.manage("DELETE", `${path}/${encodeURIComponent(String(picture?.["id"]))}`)).status).toBe(204);
});

test("a policy asks no user for it if the tenant does not enable it", async () => {
  await addPicture();
  await service.manage("PUT", "/api/v2/guardian/factors/picture", { enabled: false });
  await setPolicies(service, ["all-applications"]);
  const { reply } = await signInToFactor(service, service.browser());
  expect(screenOf(reply)["name"]).toBe("add-factor");
});
