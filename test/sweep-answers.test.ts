import fc from "fast-check";
import { expect, test } from "vitest";
import { schema } from "@postern/core/adapter";
import { object, text } from "./support/api.ts";
import type { Browser } from "./support/browser.ts";
import { authorize, codeGrant, login, openService, refreshGrant, type App, type LoginService } from "./support/flow.ts";
import type { Answer } from "./support/postern.ts";

const api = "https://api.example.test/";
const day = 86_400;

/** Lifetimes that differ in what a use prolongs. */
const refreshTokens = [
  { rotation_type: "rotating", expiration_type: "expiring", token_lifetime: 40 * day, idle_token_lifetime: 10 * day },
  { rotation_type: "non-rotating", expiration_type: "non-expiring", infinite_idle_token_lifetime: false, idle_token_lifetime: 2 * day },
  { rotation_type: "non-rotating", expiration_type: "expiring", token_lifetime: 40 * day, idle_token_lifetime: 2 * day },
  { rotation_type: "non-rotating", expiration_type: "expiring", token_lifetime: 3 * day, infinite_idle_token_lifetime: true },
] as const;

/** What a login gave. */
interface Held {
  readonly app: App;
  readonly browser: Browser;
  readonly access: string;
  readonly session: string;
  refresh: string;
}

/** A service, what was got from it, and what it answers. */
interface World {
  readonly service: LoginService;
  readonly apps: readonly App[];
  readonly held: Held[];
}

async function openWorld(): Promise<World> {
  const service = await openService();
  await service.manage.create("/api/v2/resource-servers", {
    identifier: api,
    name: "Api",
    allow_offline_access: true,
    // The longest there is.
    token_lifetime: 30 * day,
  });
  const settings = { secret: true, grant_types: ["authorization_code", "refresh_token"] };
  const apps: App[] = [];
  for (const refresh_token of refreshTokens) apps.push(await service.register({ ...settings, refresh_token }));
  return { service, apps, held: [] };
}

/** What somebody does. A number is taken from what there is of that kind, around and around. */
type Act =
  | { readonly act: "sign in"; readonly app: number }
  | {
      readonly act: "refresh" | "ask userinfo" | "introspect" | "sign in silently" | "revoke the refresh token" | "end the session";
      readonly of: number;
    }
  | { readonly act: "delete the person and make them anew" | "end every session" | "mistype the password" }
  | { readonly act: "wait"; readonly days: number };

const asked = { audience: api, scope: "openid profile offline_access" };

/** Does it, and tells what an app or a person learns of it. */
async function perform({ service, apps, held }: World, act: Act): Promise<string> {
  const { ada, manage } = service;
  const user = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
  const learned = ({ status, body }: Answer): string => {
    const { error = "", active = "" } = typeof body === "object" && body !== null ? (body as { error?: string; active?: boolean }) : {};
    return `${status} ${error}${String(active)}`;
  };
  const authenticated = ({ clientId, secret = "" }: App): object => ({ client_id: clientId, client_secret: secret });
  const thing = "of" in act ? held[act.of % held.length] : undefined;
  if ("of" in act && thing === undefined) return "nothing to do it with";

  if (act.act === "sign in") {
    const app = apps[act.app % apps.length] ?? service.web;
    const browser = service.browser();
    const { code = "" } = await login(browser, app, ada, asked);
    const answer = await service.exchange(codeGrant(app, code));
    const { access_token: access = "", refresh_token: refresh = "" } = answer.body as { readonly [name: string]: string };
    const [, payload = ""] = access.split(".");
    const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { readonly sid: string };
    held.push({ app, browser, access, refresh, session: sid });
    return learned(answer);
  }
  if (act.act === "wait") {
    service.clock.advance(act.days * day * 1000);
    return "waited";
  }
  if (act.act === "mistype the password") {
    const answer = await service.call("POST", "/oauth/token", {
      body: { grant_type: "password", ...authenticated(service.web), username: ada.email, password: "something else" },
    });
    return learned(answer);
  }
  if (act.act === "end every session") return learned(await manage("DELETE", `${user}/sessions`));
  if (act.act === "delete the person and make them anew") {
    await manage("DELETE", user);
    const { email, password, userId } = ada;
    const again = { connection: "Username-Password-Authentication", email, password, user_id: userId.split("|")[1], email_verified: true };
    expect(text(object(await manage("POST", "/api/v2/users", again), 201), "user_id")).toBe(userId);
    return "made anew";
  }
  if (thing === undefined) return "";
  switch (act.act) {
    case "refresh": {
      const answer = await service.exchange(refreshGrant(thing.app, thing.refresh));
      const { refresh_token: next } = answer.body as { readonly refresh_token?: string };
      if (next !== undefined) thing.refresh = next;
      return learned(answer);
    }
    case "ask userinfo":
      return learned(await service.userinfo(thing.access));
    case "introspect":
      return learned(await service.call("POST", "/oauth/introspect", { body: { ...authenticated(thing.app), token: thing.access } }));
    case "sign in silently":
      return (await authorize(thing.browser, thing.app, { ...asked, prompt: "none" })).kind;
    case "revoke the refresh token":
      return learned(await service.call("POST", "/oauth/revoke", { body: { ...authenticated(thing.app), token: thing.refresh } }));
    case "end the session":
      return learned(await manage("DELETE", `/api/v2/sessions/${thing.session}`));
  }
}

const acts = fc.oneof(
  fc.record({ act: fc.constant("sign in" as const), app: fc.nat(3) }),
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom(
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
    act: fc.constantFrom("delete the person and make them anew" as const, "end every session" as const, "mistype the password" as const),
  }),
  { weight: 3, arbitrary: fc.record({ act: fc.constant("wait" as const), days: fc.constantFrom(1, 1, 3, 8, 29) }) },
);

/** Does the same in a service that is never swept and in one that is swept after each step. */
async function compare(story: readonly Act[]): Promise<void> {
  const [kept, swept] = await Promise.all([openWorld(), openWorld()]);
  for (const [i, act] of story.entries()) {
    const told = await perform(kept, act);
    const toldSwept = await perform(swept, act);
    expect(toldSwept, `step ${i + 1} of ${JSON.stringify(story)}`).toBe(told);
    while (!(await swept.service.postern.jobs.sweep()).finished);
  }
}

const signIn = (app: number): Act => ({ act: "sign in", app });
const wait = (days: number): Act => ({ act: "wait", days });
const refresh: Act = { act: "refresh", of: 0 };

test.each(refreshTokens.map(({ rotation_type: rotation, expiration_type: expiration }, app) => ({ app, rotation, expiration })))(
  "a refresh token that is in use is never swept: $rotation, $expiration ($app)",
  ({ app }) => compare([signIn(app), ...Array.from({ length: 50 }, () => [wait(1), refresh]).flat()]),
);

test("what was revoked stays revoked", () =>
  compare([
    signIn(1),
    wait(1),
    { act: "end the session", of: 0 },
    ...Array.from({ length: 31 }, () => [wait(1), { act: "ask userinfo", of: 0 } as const, { act: "introspect", of: 0 } as const]).flat(),
  ]));

test("sweeping changes no answer, whatever was done before", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(acts, { minLength: 5, maxLength: 25 }).map((story) => [signIn(0), signIn(1), ...story]),
      compare,
    ),
    { numRuns: 25 },
  ),
);

test("every record with an expiry is in these stories, or lives as long as it said when it was made", () => {
  const withExpiry = Object.values(schema).flatMap((description) => ("expiry" in description ? [description.name] : []));
  const inStories = ["sessions", "authorization_codes", "refresh_tokens", "revoked_grants", "login_sessions", "login_attempts", "logs"];
  const neverProlonged = ["one_time_codes", "tickets", "used_assertions", "jobs", "log_stream_deliveries"];
  // Prolonged by the write that begins another day (test/token/token-quota.test.ts), and by each message (one-time-code.test.ts).
  const prolonged = ["token_counts", "destination_budgets"];
  // An operation has its end when it is finished (test/tenancy), and each of its steps when it is made.
  const operations = ["tenant_operations", "tenant_operation_events"];
  // A claim of a domain loses its end with the write that verifies it.
  const kept = ["custom_domains"];
  expect(withExpiry.toSorted()).toEqual([...inStories, ...neverProlonged, ...prolonged, ...operations, ...kept].toSorted());
});
