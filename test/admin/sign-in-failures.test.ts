import { beforeEach, expect, test } from "vitest";
import type { TestAccount } from "../support/flow.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let console: TestConsole;
let browser: ConsoleBrowser;
let user: TestAccount;

beforeEach(async () => {
  console = await openConsole();
  browser = await console.signIn(console.administrator);
  user = await console.service.addUser("bea@example.test");
});

const profile = (): Promise<string> => browser.page(`users/${encodeURIComponent(user.userId)}`);

test("explains failed sign-ins with a remedy, each reason once, and forgets them after a sign-in", async () => {
  expect(await profile()).toContain("No sign-in has failed since the last one that succeeded.");
  for (let i = 0; i < 2; i++) await console.signInToApp(user, "wrong");
  const page = await profile();
  expect(page.match(/The password or the code was wrong\./g)).toHaveLength(1);
  expect(page).toContain("2 times");
  expect(page).toContain("If the user has forgotten the password, create a password reset link.");
  await console.signInToApp(user);
  expect(await profile()).not.toContain("The password or the code was wrong.");
});

test("names a block by its own reason, and links to the event", async () => {
  await console.service.manage("PATCH", `/api/v2/users/${encodeURIComponent(user.userId)}`, { blocked: true });
  await console.signInToApp(user);
  const page = await profile();
  expect(page).toContain("<strong>The user is blocked.</strong>");
  const [, path = ""] = /<a href="\/admin\/(logs\/[^"]+)">Show the event/.exec(page) ?? [];
  expect(await browser.page(path)).toContain("The user is blocked.");
});

test("a stopped account says how it goes on, and needs three requests", async () => {
  for (let i = 0; i < 12; i++) await console.signInToApp(user, "wrong");
  console.calls.length = 0;
  const page = await profile();
  expect(page).toContain("Sign-ins were stopped after too many wrong passwords.");
  expect(page).toContain("Allow sign-ins again, or wait for some minutes.");
  expect(console.calls).toHaveLength(3);
});

test("an operator who may not read logs sees the user without the explanation", async () => {
  const operator = await console.addOperator("support@example.test", ["read:users"]);
  const page = await (await console.signIn(operator)).page(`users/${encodeURIComponent(user.userId)}`);
  expect(page).not.toContain("Why sign-ins failed");
  expect(page).toContain("bea@example.test");
});

test("markup in the text of an event stays text", async () => {
  const { data } = console.service;
  await console.signInToApp(user, "wrong");
  const [row] = await data.collections.logs.find({ where: { tenant_id: "main", user_id: user.userId }, limit: 1 });
  if (row === undefined) throw new Error("the failure was not logged");
  // The ids of one millisecond follow each other: the next one may belong to another event.
  const log_id = row.log_id.slice(0, 10) + "Z".repeat(16);
  const hostile = { ...row, log_id, type: "f", description: "<img src=x onerror=alert(1)>" };
  await data.collections.logs.insert([hostile]);
  const page = await profile();
  expect(page).toContain("&lt;img src=x onerror=alert(1)>");
  expect(page).not.toContain("<img src=x");
});
