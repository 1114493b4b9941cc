import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import { addConnection } from "../support/client-connections.ts";
import { stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  claimsOf,
  codeGrant,
  getFlow,
  loginState,
  openService,
  readResult,
  sendAuthorization,
  submitStep,
  successParameters,
  tokens,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { callbackUrl } from "./federation.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { badges, signResponse } from "./passed-strategy.ts";

const claims = { sub: "7", email: "ann@example.test", email_verified: true, name: "Ann" };

let service: LoginService;
let browser: Browser;

beforeEach(() => open());

async function open(data: DataAdapter = createMemoryAdapter()): Promise<void> {
  service = await openService({ strategies: { samlp: badges }, data });
  const connection = await service.manage.create("/api/v2/connections", {
    name: "badges",
    strategy: "samlp",
    options: { signInEndpoint: "https://badges.example.test/sign-in", domain_aliases: ["badges.example.test"] },
    show_as_button: true,
  });
  await addConnection(service.manage, service.web.clientId, stringMember(connection, "id"));
  browser = service.browser();
}

interface Departure {
  /** The `state` of the login. */
  readonly login: string;
  /** The parameters at the provider. */
  readonly sent: { readonly RelayState: string; readonly id: string; readonly force: string; readonly callback: string };
}

async function leave(parameters: AuthorizationParameters = {}): Promise<Departure> {
  const login = loginState(await sendAuthorization(browser, service.web, parameters));
  const { searchParams } = new URL(
    stringMember(await submitStep(browser, login, { action: "continue-with", connection: "badges" }), "redirect_to"),
  );
  const value = (name: string): string => searchParams.get(name) ?? "";
  return { login, sent: { RelayState: value("RelayState"), id: value("id"), force: value("force"), callback: value("callback") } };
}

/** Posts the form from the provider's site: the browser sends no cookies. @returns the URL of the redirect. */
async function post(form: { readonly [name: string]: string }): Promise<string> {
  const response = await service.browser().post("/login/callback", { form, headers: { origin: "https://badges.example.test" } });
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

test("signs in with a form of 100 kB, which leaves nothing in the URL but the state", async () => {
  const { sent } = await leave();
  expect(sent.callback).toBe(callbackUrl);
  const back = await post({ RelayState: sent.RelayState, ...signResponse(sent.id, claims, "x".repeat(75_000)) });
  expect(Object.fromEntries(new URL(back).searchParams)).toEqual({ state: sent.RelayState });
  const { code } = successParameters(await readResult(await browser.get(back)));
  const { id } = tokens(await service.exchange(codeGrant(service.web, code ?? "")));
  expect(claimsOf(id)).toMatchObject({ sub: "badges|7", name: "Ann" });
});

test("the login pages name the provider, and find it by the domain of the email address", async () => {
  const state = loginState(await sendAuthorization(browser, service.web));
  expect((await getFlow(browser, state))["screen"]).toMatchObject({ providers: [{ connection: "badges", label: "Badges" }] });
  const left = await submitStep(browser, state, { action: "continue", identifier: "ann@badges.example.test" });
  expect(new URL(stringMember(left, "redirect_to")).searchParams.get("hint")).toBe("ann@badges.example.test");
});

test.each([
  ["a wrong signature", (id: string) => ({ badge: `${signResponse(id, claims).badge}x` }), "provider-failed", "the signature is wrong"],
  ["another request", () => signResponse("another", claims), "provider-failed", "the response belongs to another request"],
  ["no subject", (id: string) => signResponse(id, { email: "ann@example.test" }), "provider-failed", "contain no 'sub'"],
  ["a time in the future", (id: string) => signResponse(id, { ...claims, auth_time: 4e9 }), "provider-failed", "auth_time"],
  ["a user who cancelled", () => ({ cancelled: "1" }), "provider-declined", "declined"],
] as const)("refuses %s", async (_, answer, problem, description) => {
  const { login, sent } = await leave();
  const back = await post({ RelayState: sent.RelayState, ...answer(sent.id) });
  await browser.get(back);
  expect((await getFlow(browser, login))["screen"]).toMatchObject({ problem });
  const { body } = await service.manage("GET", "/api/v2/logs");
  expect(JSON.stringify(body)).toContain(description);
});

test.each([
  ["an old one", -3600, "refused"],
  ["none", undefined, "refused"],
  ["a new one", 0, "accepted"],
])("a request for a new authentication reaches the strategy, which must return its time: %s", async (_, seconds, result) => {
  const { sent } = await leave({ prompt: "login" });
  expect(sent.force).toBe("true");
  const at = service.clock.now() / 1000;
  const back = await post({
    RelayState: sent.RelayState,
    ...signResponse(sent.id, { ...claims, ...(seconds !== undefined && { auth_time: at + seconds }) }),
  });
  const response = await browser.get(back);
  if (result === "accepted") successParameters(await readResult(response));
  else expect(response.headers.get("location")).toContain("unmet_authentication_requirements");
});

test("a strategy that throws while it checks the options is not offered", async () => {
  const faulty = { ...badges, isSetUp: () => JSON.parse("no JSON") };
  const other = await openService({ strategies: { samlp: faulty } });
  const connection = await other.manage.create("/api/v2/connections", { name: "faulty", strategy: "samlp", show_as_button: true });
  await addConnection(other.manage, other.web.clientId, stringMember(connection, "id"));
  const result = await sendAuthorization(other.browser(), other.web);
  expect(result.kind).toBe("login");
});

test("a form counts only in the browser that left for the provider", async () => {
  const { sent } = await leave();
  const back = await post({ RelayState: sent.RelayState, ...signResponse(sent.id, claims) });
  expect((await service.browser().get(back)).status).toBe(400);
  successParameters(await readResult(await browser.get(back)));
});

test("a form that is posted twice signs in once, and a refused one does not replace it", async () => {
  const { sent } = await leave();
  const form = { RelayState: sent.RelayState, ...signResponse(sent.id, claims) };
  const [back] = await Promise.all([post(form), post(form)]);
  await post({ RelayState: sent.RelayState, badge: "wrong" });
  successParameters(await readResult(await browser.get(back)));
});

test("the result of a form ends after two minutes", async () => {
  const { login, sent } = await leave();
  const back = await post({ RelayState: sent.RelayState, ...signResponse(sent.id, claims) });
  service.clock.advance(120_000);
  await browser.get(back);
  expect((await getFlow(browser, login))["screen"]).toMatchObject({ problem: "provider-failed" });
});

test("a callback without a form signs no user in", async () => {
  const { login, sent } = await leave();
  await browser.get(`/login/callback?${new URLSearchParams({ state: sent.RelayState })}`);
  expect((await getFlow(browser, login))["screen"]).toMatchObject({ problem: "provider-failed" });
});

test("a form costs two statements, and a repeated one only the first of them", async () => {
  const data = countingAdapter(createMemoryAdapter());
  await open(data);
  const { sent } = await leave();
  const form = { RelayState: sent.RelayState, ...signResponse(sent.id, claims) };
  await post(form);
  const again = await leave();
  const second = { RelayState: again.sent.RelayState, ...signResponse(again.sent.id, { ...claims, sub: "8" }) };
  expect(await data.costOf(() => post(second))).toEqual({ statements: ["login_sessions.find", "login_sessions.update"], roundTrips: 2 });
  expect((await data.costOf(() => post(second))).statements).toEqual(["login_sessions.find"]);
});

test("a form for an unknown state changes nothing", async () => {
  const response = await browser.get(await post({ RelayState: "main.unknown.state", badge: "x" }));
  expect(response.status).toBe(400);
  expect((await service.browser().post("/login/callback", { form: { badge: "x" } })).status).toBe(400);
});
