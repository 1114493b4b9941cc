import fc from "fast-check";
import { expect, test } from "vitest";
import { schema } from "@postern/core/adapter";
import { jsonBody, stringMember } from "./support/api.ts";
import type { Browser } from "./support/browser.ts";
import { sendAuthorization, codeGrant, login, openService, refreshGrant, type App, type LoginService } from "./support/flow.ts";
import type { ApiResponse } from "./support/postern.ts";

const api = "https://api.example.test/";
const day = 86_400;

/** Settings that differ in which lifetime a use extends. */
const refreshTokens = [
  { rotation_type: "rotating", expiration_type: "expiring", token_lifetime: 40 * day, idle_token_lifetime: 10 * day },
  { rotation_type: "non-rotating", expiration_type: "non-expiring", infinite_idle_token_lifetime: false, idle_token_lifetime: 2 * day },
  { rotation_type: "non-rotating", expiration_type: "expiring", token_lifetime: 40 * day, idle_token_lifetime: 2 * day },
  { rotation_type: "non-rotating", expiration_type: "expiring", token_lifetime: 3 * day, infinite_idle_token_lifetime: true },
] as const;

/** The result of a login. */
interface Login {
  readonly app: App;
  readonly browser: Browser;
  readonly access: string;
  readonly session: string;
  refresh: string;
}

/** A service, its clients and the logins so far. */
interface Setup {
  readonly service: LoginService;
  readonly apps: readonly App[];
  readonly logins: Login[];
}

async function createSetup(): Promise<Setup> {
  const service = await openService();
  await service.manage.create("/api/v2/resource-servers", {
    identifier: api,
    name: "Api",
    allow_offline_access: true,
    // The maximum lifetime.
    token_lifetime: 30 * day,
  });
  const settings = { secret: true, grant_types: ["authorization_code", "refresh_token"] };
  const apps: App[] = [];
  for (const refresh_token of refreshTokens) apps.push(await service.register({ ...settings, refresh_token }));
  return { service, apps, logins: [] };
}

/** A step of a user or app. `of` and `app` are indexes, taken modulo the number of logins or apps. */
type Step =
  | { readonly kind: "sign in"; readonly app: number }
  | {
      readonly kind: "refresh" | "ask userinfo" | "introspect" | "sign in silently" | "revoke the refresh token" | "end the session";
      readonly of: number;
    }
  | { readonly kind: "delete and recreate the user" | "end every session" | "mistype the password" }
  | { readonly kind: "wait"; readonly days: number };

const request = { audience: api, scope: "openid profile offline_access" };

/** Performs a step. @returns what an app or a user learns from the response. */
async function perform({ service, apps, logins }: Setup, step: Step): Promise<string> {
  const { ada, manage } = service;
  const user = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
  const observe = ({ status, body }: ApiResponse): string => {
    const { error = "", active = "" } = typeof body === "object" && body !== null ? (body as { error?: string; active?: boolean }) : {};
    return `${status} ${error}${String(active)}`;
  };
  const credentials = ({ clientId, secret = "" }: App): object => ({ client_id: clientId, client_secret: secret });
  const chosen = "of" in step ? logins[step.of % logins.length] : undefined;
  if ("of" in step && chosen === undefined) return "no login exists";

  if (step.kind === "sign in") {
    const app = apps[step.app % apps.length] ?? service.web;
    const browser = service.browser();
    const { code = "" } = await login(browser, app, ada, request);
    const answer = await service.exchange(codeGrant(app, code));
    const { access_token: access = "", refresh_token: refresh = "" } = answer.body as { readonly [name: string]: string };
    const [, payload = ""] = access.split(".");
    const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { readonly sid: string };
    logins.push({ app, browser, access, refresh, session: sid });
    return observe(answer);
  }
  if (step.kind === "wait") {
    service.clock.advance(step.days * day * 1000);
    return "waited";
  }
  if (step.kind === "mistype the password") {
    const answer = await service.call("POST", "/oauth/token", {
      body: { grant_type: "password", ...credentials(service.web), username: ada.email, password: "something else" },
    });
    return observe(answer);
  }
  if (step.kind === "end every session") return observe(await manage("DELETE", `${user}/sessions`));
  if (step.kind === "delete and recreate the user") {
    await manage("DELETE", user);
    const { email, password, userId } = ada;
    const newUser = {
      connection: "Username-Password-Authentication",
      email,
      password,
      user_id: userId.split("|")[1],
      email_verified: true,
    };
    expect(stringMember(jsonBody(await manage("POST", "/api/v2/users", newUser), 201), "user_id")).toBe(userId);
    return "recreated";
  }
  if (chosen === undefined) return "";
  switch (step.kind) {
    case "refresh": {
      const answer = await service.exchange(refreshGrant(chosen.app, chosen.refresh));
      const { refresh_token: next } = answer.body as { readonly refresh_token?: string };
      if (next !== undefined) chosen.refresh = next;
      return observe(answer);
    }
    case "ask userinfo":
      return observe(await service.userinfo(chosen.access));
    case "introspect":
      return observe(await service.call("POST", "/oauth/introspect", { body: { ...credentials(chosen.app), token: chosen.access } }));
    case "sign in silently":
      return (await sendAuthorization(chosen.browser, chosen.app, { ...request, prompt: "none" })).kind;
    case "revoke the refresh token":
      return observe(await service.call("POST", "/oauth/revoke", { body: { ...credentials(chosen.app), token: chosen.refresh } }));
    case "end the session":
      return observe(await manage("DELETE", `/api/v2/sessions/${chosen.session}`));
  }
}

const steps = fc.oneof(
  fc.record({ kind: fc.constant("sign in" as const), app: fc.nat(3) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "refresh" as const,
        "refresh" as const,
        "ask userinfo" as const,
        "introspect" as const,
        "sign in silently" as const,
        "revoke the refresh token" as const,
        "end the session" as const,
      ),
      of: fc.nat(5),
    }),
  },
  fc.record({
    kind: fc.constantFrom("delete and recreate the user" as const, "end every session" as const, "mistype the password" as const),
  }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), days: fc.constantFrom(1, 1, 3, 8, 29) }) },
);

/** Performs the same steps in a service that is never swept and in one that is swept after each step. */
async function compare(sequence: readonly Step[]): Promise<void> {
  const [unswept, swept] = await Promise.all([createSetup(), createSetup()]);
  for (const [i, step] of sequence.entries()) {
    const expected = await perform(unswept, step);
    const actual = await perform(swept, step);
    expect(actual, `step ${i + 1} of ${JSON.stringify(sequence)}`).toBe(expected);
    while (!(await swept.service.postern.jobs.sweep()).finished);
  }
}

const signIn = (app: number): Step => ({ kind: "sign in", app });
const wait = (days: number): Step => ({ kind: "wait", days });
const refresh: Step = { kind: "refresh", of: 0 };

test.each(refreshTokens.map(({ rotation_type: rotation, expiration_type: expiration }, app) => ({ app, rotation, expiration })))(
  "a refresh token that is in use is never swept: $rotation, $expiration ($app)",
  ({ app }) => compare([signIn(app), ...Array.from({ length: 50 }, () => [wait(1), refresh]).flat()]),
);

test("a revoked session stays revoked after sweeps", () =>
  compare([
    signIn(1),
    wait(1),
    { kind: "end the session", of: 0 },
    ...Array.from({ length: 31 }, () => [wait(1), { kind: "ask userinfo", of: 0 } as const, { kind: "introspect", of: 0 } as const]).flat(),
  ]));

test("sweeps change no later response, for any sequence of requests", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 5, maxLength: 25 }).map((sequence) => [signIn(0), signIn(1), ...sequence]),
      compare,
    ),
    { numRuns: 25 },
  ),
);

test("every collection with an expiry is covered by the steps of this test, or has an expiry that never changes", () => {
  const withExpiry = Object.values(schema).flatMap((description) => ("expiry" in description ? [description.name] : []));
  const coveredBySteps = [
    "sessions",
    "authorization_codes",
    "refresh_tokens",
    "revoked_grants",
    "login_sessions",
    "login_attempts",
    "logs",
  ];
  const fixedExpiry = [
    "one_time_codes",
    "device_codes",
    "pushed_requests",
    "tickets",
    "used_assertions",
    "jobs",
    "log_stream_deliveries",
    "initial_access_tokens",
  ];
  // Extended by the first write of another day (test/token/token-quota.test.ts), by each message
  // (one-time-code.test.ts), by each message to a new number (hourly-count.test.ts), by each use
  // (trusted-browser.test.ts) and by each retry (test/logout).
  const extended = ["token_counts", "destination_budgets", "message_counts", "trusted_browsers", "logout_deliveries"];
  // An operation gets its expiry when it finishes (test/tenancy). Each of its steps gets one when it is created.
  const operations = ["tenant_operations", "tenant_operation_events"];
  // A domain claim loses its expiry when it is verified, and a factor when it is confirmed (factors.test.ts).
  const removedExpiry = ["custom_domains", "factors"];
  // The app checks the expiry of its session with its own clock (test/app/session-store.test.ts).
  const ofApps = ["app_sessions"];
  const covered = [...coveredBySteps, ...fixedExpiry, ...extended, ...operations, ...removedExpiry, ...ofApps];
  expect(withExpiry.toSorted()).toEqual(covered.toSorted());
});
