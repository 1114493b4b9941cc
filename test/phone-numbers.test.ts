import { describe, expect, test } from "vitest";
import { openSecurity, submitSecurity } from "./account/support.ts";
import { openFactorService, setPolicies, signInToFactor, type FactorService } from "./factors/support.ts";
import { jsonBody, list, stringMember, type JsonBody } from "./support/api.ts";
import { getFlow, login, loginState, openStep, sendAuthorization, sendStep, submit, submitStep, type App } from "./support/flow.ts";
import { openLink, submitLinkForm } from "./support/links.ts";
import { codeOf } from "./support/outbox.ts";
import type { ApiResponse } from "./support/postern.ts";

/** Every page and endpoint that reads a phone number, with every spelling. */

const otpGrant = "http://auth0.com/oauth/grant-type/passwordless/otp";
const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";
const origin = "https://app.example.test";
const password = "Correct-horse-7";

/** Spellings of numbers that are accepted, and the numbers that are stored. */
const accepted = {
  "+61412345678": "+61412345678",
  "+61 (412) 345-678": "+61412345678",
  "＋６１ ４１２ ３４５ ６７８": "+61412345678",
  "+٦١ ٤١٢ ٣٤٥ ٦٧٨": "+61412345678",
  "+39 06 1234 5678": "+390612345678",
  "+1 555 000 1111": "+15550001111",
  "+1 555 0100": "+15550100",
};
/** A spelling of a number that is too short for its country. */
const tooShort = "+1 555 0100";
/** Spellings that are rejected, and the spellings that the errors contain. */
const corrected = {
  "+61 0412 345 678": "+61412345678",
  "+49 (0)30 123456": "+4930123456",
  "+44 07911 123456": "+447911123456",
  "0041 79 123 45 67": "+41791234567",
};
const rejected = ["+61 412 FLOWERS", "+61 412 345 678 ext 5", "0412 345 678"];

interface Service extends FactorService {
  /** A client for which every kind of connection and grant is enabled. */
  readonly app: App;
  /** The id of the password database `people`, whose users have phone numbers. */
  readonly peopleId: string;
}

const any = { identifier: { active: true }, signup: { status: "optional" } };

async function open(options: Parameters<typeof openFactorService>[0] = {}): Promise<Service> {
  const service = await openFactorService(options);
  await setPolicies(service, []);
  await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  const authentication_methods = { passkey: { enabled: true }, phone_otp: { enabled: true } };
  const people = await service.manage.create("/api/v2/connections", {
    name: "people",
    strategy: "auth0",
    options: { attributes: { email: any, phone_number: any }, authentication_methods },
  });
  const app = await service.register({
    grant_types: ["authorization_code", "password", realmGrant, otpGrant, "urn:okta:params:oauth:grant-type:webauthn"],
    cross_origin_authentication: true,
    web_origins: [origin],
  });
  return { ...service, app, peopleId: stringMember(people, "id") };
}

/** The result of a phone number in a place: the number that it used, or the error. */
type Outcome = { readonly number: string } | { readonly error: string };
type Place = (typed: string) => Promise<Outcome>;

/** Returns the error of an API, which must be flat and have the status 400. */
function errorOf({ status, body }: Pick<ApiResponse, "status" | "body">, error: string | RegExp = "invalid_request"): Outcome {
  expect(body).toMatchObject({ error: expect.stringMatching(error), error_description: expect.any(String) });
  expect(status).toBe(400);
  return { error: String(Object(body).error_description ?? "") };
}

/** Returns the number that a message was sent to. */
function sentTo({ outbox }: Service): Outcome {
  const [message, ...others] = outbox.sent.splice(0);
  expect(others).toEqual([]);
  return { number: String(message?.to) };
}

/** Sends an action to the JSON flow API. */
async function act(
  service: Service,
  { browser, state }: Begun,
  action: Parameters<typeof sendStep>[2],
  used: (screen: JsonBody) => Outcome,
) {
  const response = await sendStep(browser, state, action);
  const body = (await response.json()) as JsonBody;
  return response.status === 200 ? used(Object(body["screen"])) : errorOf({ status: response.status, body });
}

interface Begun {
  readonly browser: ReturnType<Service["browser"]>;
  readonly state: string;
}

/** Begins a login with only one connection. */
async function begin(service: Service, connection: string): Promise<Begun> {
  service.clock.advance("1h");
  const browser = service.browser();
  return { browser, state: loginState(await sendAuthorization(browser, service.app, { connection })) };
}

const userPath = ({ userId }: { readonly userId: string }) => `/api/v2/users/${encodeURIComponent(userId)}`;
const serial = (): string => crypto.randomUUID();

/** The places where users type phone numbers, and where clients send them as users type them. */
const typedPlaces: {
  readonly [name: string]: {
    readonly field: string;
    /** The result of {@link tooShort}. Default: it is accepted. */
    readonly impossibleNumber?: "rejected" | "no code is sent";
    open(): Promise<Place>;
  };
} = {
  "the login page": {
    field: "identifier",
    open: async () => {
      const service = await open();
      return async (identifier) => act(service, await begin(service, "sms"), { action: "continue", identifier }, () => sentTo(service));
    },
  },
  "the login page of a password database": {
    field: "identifier",
    open: async () => {
      const service = await open();
      const numbers = [...new Set(Object.values(accepted))];
      for (const phone_number of numbers) await service.manage.create("/api/v2/users", { connection: "people", phone_number, password });
      return async (identifier) => {
        const begun = await begin(service, "people");
        const named = await act(service, begun, { action: "continue", identifier }, ({ name }) => ({ number: String(name) }));
        if ("error" in named) return named;
        expect(named).toEqual({ number: "password" });
        const response = await sendStep(begun.browser, begun.state, { action: "sign-in", password });
        if (response.status !== 200) return { error: String(((await response.json()) as JsonBody)["error"]) };
        const [user] = list(await service.manage("GET", "/api/v2/users?sort=last_login:-1&per_page=1"));
        return { number: String(user?.["phone_number"]) };
      };
    },
  },
  "the page that resets a password": {
    field: "identifier",
    open: async () => {
      const service = await open();
      for (const phone_number of new Set(Object.values(accepted)))
        await service.manage.create("/api/v2/users", {
          connection: "people",
          phone_number,
          email: `${phone_number.slice(1)}@example.test`,
          password,
        });
      return async (identifier) => {
        const begun = await begin(service, "people");
        await submitStep(begun.browser, begun.state, { action: "continue", identifier: "someone@example.test" });
        await submitStep(begun.browser, begun.state, { action: "forgot-password" });
        return act(service, begun, { action: "send-reset", identifier }, () => {
          const [mail] = service.outbox.sent.splice(0);
          return mail === undefined ? { error: "no account" } : { number: `+${mail.to.split("@", 1)[0]}` };
        });
      };
    },
  },
  "the sign-up page": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      return async (phone_number) => {
        const begun = await begin(service, "people");
        await submitStep(begun.browser, begun.state, { action: "sign-up" });
        // The page shows the number also if it has an account already.
        return act(service, begun, { action: "make-account", phone_number, password }, ({ sentTo: number }) => ({
          number: String(number),
        }));
      };
    },
  },
  "the sign-up page with a passkey": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      return async (phone_number) => {
        const begun = await begin(service, "people");
        await submitStep(begun.browser, begun.state, { action: "sign-up" });
        // The step that creates the passkey has the identifier as the visitor typed it.
        return act(service, begun, { action: "choose-passkey", phone_number }, ({ name }) => ({
          number: name === "create-passkey" ? (Object.entries(accepted).find(([typed]) => typed === phone_number)?.[1] ?? "") : "",
        }));
      };
    },
  },
  "the page that adds a factor in a login": {
    field: "phone",
    open: async () => {
      const service = await open();
      await setPolicies(service, ["all-applications"]);
      return async (phone) => {
        service.clock.advance("1h");
        const browser = service.browser();
        const { state } = await signInToFactor(service, browser);
        await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
        return act(service, { browser, state }, { action: "enter-phone", phone }, () => sentTo(service));
      };
    },
  },
  "the page of the account": {
    field: "phone",
    open: async () => {
      const service = await open();
      return async (phone) => {
        service.clock.advance("1h");
        const browser = service.browser();
        await login(browser, service.web, service.bob);
        const form = await openSecurity(browser, { view: "add", type: "phone" });
        const { html, location } = await submitSecurity(browser, form, { action: "enter-phone", phone });
        expect(location?.href).not.toMatch(/61412345678|4930123456|447911123456|41791234567/);
        return problemOf(html) ?? sentTo(service);
      };
    },
  },
  "the page of an enrollment link": {
    field: "phone",
    open: async () => {
      const service = await open();
      return async (phone) => {
        service.clock.advance("1h");
        const ticket = jsonBody(await service.manage("POST", "/api/v2/guardian/enrollments/ticket", { user_id: service.bob.userId }));
        const browser = service.browser();
        const page = await openLink(browser, stringMember(ticket, "ticket_url"));
        const chosen = await submitLinkForm(browser, page, { action: "choose-new-factor", factor: "phone" });
        const { html } = await submitLinkForm(browser, chosen, { action: "enter-phone", phone });
        return problemOf(html) ?? sentTo(service);
      };
    },
  },
  "POST /passwordless/start": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      return async (phone_number) => {
        service.clock.advance("1h");
        const body = { client_id: service.app.clientId, connection: "sms", phone_number };
        const response = await service.call("POST", "/passwordless/start", { body });
        return response.status === 200 ? sentTo(service) : errorOf(response, "bad.phone_number");
      };
    },
  },
  "POST /passwordless/verify": {
    field: "phone_number",
    impossibleNumber: "no code is sent",
    open: async () =>
      verifier("/passwordless/verify", (phone_number, verification_code) => ({ connection: "sms", phone_number, verification_code })),
  },
  "POST /oauth/token with a code": {
    field: "username",
    impossibleNumber: "no code is sent",
    open: async () => verifier("/oauth/token", (username, otp) => ({ grant_type: otpGrant, realm: "sms", username, otp })),
  },
  "POST /co/authenticate with a code": {
    field: "username",
    impossibleNumber: "no code is sent",
    open: async () => verifier("/co/authenticate", (username, otp) => ({ credential_type: otpGrant, realm: "sms", username, otp })),
  },
  "POST /otp/challenge": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      for (const phone_number of new Set(Object.values(accepted)))
        await service.manage.create("/api/v2/users", { connection: "people", phone_number, password });
      return async (phone_number) => {
        service.clock.advance("1h");
        const body = { client_id: service.app.clientId, connection: "people", phone_number };
        const response = await service.call("POST", "/otp/challenge", { body });
        return response.status === 200 ? sentTo(service) : errorOf(response);
      };
    },
  },
  "POST /dbconnections/signup": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      return async (phone_number) => {
        const body = { client_id: service.app.clientId, connection: "people", email: `${serial()}@example.test`, phone_number, password };
        const response = await service.call("POST", "/dbconnections/signup", { body });
        if (response.status !== 200) return errorOf({ ...response, body: { error_description: "", ...Object(response.body) } }, /./);
        const stored = stringMember(jsonBody(response), "phone_number");
        const [user] = list(await service.manage("GET", `/api/v2/users?q=${encodeURIComponent(`phone_number:"${stored}"`)}`));
        await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(String(user?.["user_id"]))}`);
        return { number: stored };
      };
    },
  },
  "POST /passkey/register": {
    field: "phone_number",
    impossibleNumber: "rejected",
    open: async () => {
      const service = await open();
      return async (phone_number) => {
        const body = { client_id: service.app.clientId, realm: "people", user_profile: { phone_number } };
        const response = await service.call("POST", "/passkey/register", { body });
        return response.status === 200 ? { number: accepted[phone_number as keyof typeof accepted] } : errorOf(response);
      };
    },
  },
  "POST /mfa/associate": {
    field: "phone_number",
    open: async () => {
      const service = await open();
      await setPolicies(service, ["all-applications"]);
      const grants = { grant_types: ["password", "http://auth0.com/oauth/grant-type/mfa-oob"] };
      const { clientId: client_id } = await service.register(grants);
      const { email: username, password: right } = service.bob;
      return async (phone_number) => {
        service.clock.advance("1h");
        const begun = jsonBody(await service.exchange({ grant_type: "password", client_id, username, password: right }), 403);
        const body = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number };
        const response = await service.call("POST", "/mfa/associate", { token: stringMember(begun, "mfa_token"), body });
        return response.status === 200 ? sentTo(service) : errorOf(response);
      };
    },
  },
  "POST /oauth/token with a password": {
    field: "username",
    open: async () => signerIn((username) => ({ grant_type: realmGrant, realm: "people", username, password }), "/oauth/token"),
  },
  "POST /co/authenticate with a password": {
    field: "username",
    open: async () => signerIn((username) => ({ credential_type: realmGrant, realm: "people", username, password }), "/co/authenticate"),
  },
};

/** The places that require the form in which numbers are stored. */
const strictPlaces: { readonly [name: string]: { readonly field: string; open(): Promise<Place> } } = {
  "POST /api/v2/users": {
    field: "phone_number",
    open: async () => {
      const { manage } = await open();
      return async (phone_number) => {
        const response = await manage("POST", "/api/v2/users", { connection: "sms", phone_number });
        return response.status === 201 ? { number: stringMember(jsonBody(response, 201), "phone_number") } : errorOf(response);
      };
    },
  },
  "users.create of the in-process API": {
    field: "phone_number",
    open: async () => {
      const { postern } = await open();
      return async (phone_number) =>
        postern
          .tenant("main")
          .users.create({ connection: "sms", phone_number })
          .then((user) => ({ number: user.phone_number ?? "" }))
          .catch(({ message }: Error) => ({ error: message }));
    },
  },
  "PATCH /api/v2/users/{id}": {
    field: "phone_number",
    open: async () => {
      const { manage, bob } = await open();
      return async (phone_number) => {
        const response = await manage("PATCH", userPath(bob), { phone_number });
        return response.status === 200 ? { number: stringMember(jsonBody(response), "phone_number") } : errorOf(response);
      };
    },
  },
  "POST /api/v2/users/{id}/authentication-methods": {
    field: "phone_number",
    open: async () => {
      const { manage, bob } = await open();
      return async (phone_number) => {
        const response = await manage("POST", `${userPath(bob)}/authentication-methods`, { type: "phone", phone_number });
        return response.status === 201 ? { number: stringMember(jsonBody(response, 201), "phone_number") } : errorOf(response);
      };
    },
  },
  "PUT /api/v2/users/{id}/authentication-methods": {
    field: "[0].phone_number",
    open: async () => {
      const { manage, bob } = await open();
      return async (phone_number) => {
        const response = await manage("PUT", `${userPath(bob)}/authentication-methods`, [{ type: "phone", phone_number }]);
        return response.status === 200 ? { number: String(list(response)[0]?.["phone_number"]) } : errorOf(response);
      };
    },
  },
  "an import": {
    field: "phone_number",
    open: async () => {
      const { postern } = await open();
      return (phone_number) => importOf(postern, { email: `${serial()}@example.test`, phone_number }, phone_number);
    },
  },
  "an import of a second factor": {
    field: "mfa_factors.0.phone.value",
    open: async () => {
      const { postern } = await open();
      return (value) => importOf(postern, { email: `${serial()}@example.test`, mfa_factors: [{ phone: { value } }] }, value);
    },
  },
  "the user source of the host": {
    field: "phone_number",
    open: async () => {
      let phone_number = "";
      const errors: unknown[] = [];
      const service = await open({
        logger: { log: (entry) => void (entry.event === "user_source_failed" && errors.push(entry["error"])) },
        userSource: { login: async ({ identifier: email }) => ({ email, phone_number }) },
      });
      await service.manage("PATCH", `/api/v2/connections/${service.peopleId}`, { options: { import_mode: true } });
      return async (typed) => {
        phone_number = typed;
        const body = {
          grant_type: realmGrant,
          client_id: service.app.clientId,
          realm: "people",
          username: `${serial()}@example.test`,
          password,
        };
        const response = await service.exchange(body);
        if (response.status === 503) return { error: `'phone_number' ${String(Object(Object(errors.pop()).issues)[0].message)}` };
        const [user] = list(await service.manage("GET", "/api/v2/users?sort=last_login:-1&per_page=1"));
        await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(String(user?.["user_id"]))}`);
        return { number: String(user?.["phone_number"]) };
      };
    },
  },
};

/** Imports a user. @param number the number of the user, if the user is imported. */
async function importOf({ importUsers }: Service["postern"], user: object, number: string): Promise<Outcome> {
  const errors: string[] = [];
  await importUsers("main", [user], {
    connection: "Username-Password-Authentication",
    onRejected: (_, faults) => void errors.push(...faults.map(({ path, message }) => `'${path}' ${message}`)),
  });
  return errors.length === 0 ? { number } : { error: errors.join() };
}

/** Returns the place that uses a code, which was sent to the number in the error or in the table. */
async function verifier(path: string, bodyOf: (typed: string, code: string) => object): Promise<Place> {
  const service = await open();
  const client_id = service.app.clientId;
  return async (typed) => {
    service.clock.advance("1h");
    const number = accepted[typed as keyof typeof accepted] ?? "+61412345678";
    jsonBody(await service.call("POST", "/passwordless/start", { body: { client_id, connection: "sms", phone_number: number } }));
    const code = codeOf(service.outbox.take(number));
    const response = await service.call("POST", path, { body: { client_id, ...bodyOf(typed, code) }, headers: { origin } });
    return response.status === 200 ? { number } : errorOf(response, /invalid_request|bad.phone_number/);
  };
}

/** Returns the place where users of the password database sign in with a phone number. */
async function signerIn(bodyOf: (typed: string) => object, path: string): Promise<Place> {
  const service = await open();
  for (const phone_number of new Set(Object.values(accepted)))
    await service.manage.create("/api/v2/users", { connection: "people", phone_number, password });
  return async (typed) => {
    service.clock.advance("1h");
    const body = { client_id: service.app.clientId, ...bodyOf(typed) };
    const response = await service.call("POST", path, { body, headers: { origin } });
    if (response.status === 403) return { error: "no account" };
    if (response.status !== 200) return errorOf(response);
    const [user] = list(await service.manage("GET", "/api/v2/users?sort=last_login:-1&per_page=1"));
    return { number: path === "/oauth/token" ? String(user?.["phone_number"]) : (accepted[typed as keyof typeof accepted] ?? "") };
  };
}

/** Returns the problem that a page reports. */
function problemOf(html: string): Outcome | undefined {
  const [, text] = /<div class="problem" id="problem".*?<p>(.*?)<\/p>/s.exec(html) ?? [];
  return text === undefined ? undefined : { error: text.replaceAll(/<[^>]*>/g, "") };
}

/** Expects that a place rejects a text, and that its error contains the right spelling, if there is one. */
async function expectRejected(place: Place, field: string, typed: string, correction?: string): Promise<void> {
  const outcome = await place(typed);
  if (!("error" in outcome)) throw new Error(`accepted '${typed}': ${JSON.stringify(outcome)}`);
  const error = outcome.error.replace(/^body: /, "");
  if (correction === undefined) expect(error, typed).not.toMatch(/must be written as|like this/);
  else
    expect([`'${field}' must be written as ${correction}`, `Enter the number like this: ${correction}`], `${typed}: ${error}`).toContain(
      error,
    );
}

describe.each(Object.entries(typedPlaces))("%s", (_, { field, impossibleNumber, open: openPlace }) => {
  test("reads a phone number in every spelling of its international form, and corrects national prefixes", async () => {
    const place = await openPlace();
    for (const [typed, number] of Object.entries(accepted)) {
      if (typed === tooShort && impossibleNumber !== undefined) {
        if (impossibleNumber === "rejected") await expectRejected(place, field, typed);
      } else expect(await place(typed), typed).toEqual({ number });
    }
    for (const [typed, correction] of Object.entries(corrected)) await expectRejected(place, field, typed, correction);
    for (const typed of rejected) await expectRejected(place, field, typed);
  });
});

describe.each(Object.entries(strictPlaces))("%s", (_, { field, open: openPlace }) => {
  test("requires a phone number in E.164 form, and names this form for every other spelling", async () => {
    const place = await openPlace();
    for (const number of new Set(Object.values(accepted))) expect(await place(number)).toEqual({ number });
    for (const [typed, number] of Object.entries({ ...accepted, ...corrected }))
      if (typed !== number) await expectRejected(place, field, typed, number);
    for (const typed of rejected) await expectRejected(place, field, typed);
  });
});

describe("the right spelling of a phone number", () => {
  const typed = "+61 0412 345 678";

  test("is on the login page in the visitor's language, and in the screen of the flow API", async () => {
    const service = await open();
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.app, { connection: "sms", ui_locales: "de" }));
    await submit(browser, state, { action: "continue", identifier: typed });
    expect(problemOf(await (await openStep(browser, state)).text())).toEqual({ error: "Geben Sie die Nummer so ein: +61412345678" });
    expect(await getFlow(browser, state)).toMatchObject({
      screen: { name: "identifier", problem: "phone-misspelled", correction: "+61412345678" },
    });
    expect(service.outbox.sent).toEqual([]);
    await submitStep(browser, state, { action: "continue", identifier: "+61412345678" });
    expect(sentTo(service)).toEqual({ number: "+61412345678" });
  });

  test("is shown by the URL of an account page only in the session that it was made for", async () => {
    const service = await open();
    const browsers = [service.browser(), service.browser()] as const;
    const [own, other] = browsers;
    for (const browser of browsers) await login(browser, service.web, service.bob);
    const form = await openSecurity(own, { view: "add", type: "phone" });
    const { location } = await submitSecurity(own, form, { action: "enter-phone", phone: typed });
    const url = location ?? new URL("https://id.example.test");
    expect(problemOf((await openLink(own, url.href)).html)).toEqual({ error: "Enter the number like this: +61412345678" });
    const general = { error: "Enter your phone number with + and the country code." };
    expect(problemOf((await openLink(other, url.href)).html)).toEqual(general);
    url.searchParams.set("correction", "+19005550100");
    expect(problemOf((await openLink(own, url.href)).html)).toEqual(general);
    url.searchParams.delete("correction");
    expect(problemOf((await openLink(own, url.href)).html)).toEqual(general);
    url.searchParams.delete("view");
    expect(problemOf((await openLink(own, url.href)).html)).toBeUndefined();
  });

  test("is not suggested for an identifier that can be a username", async () => {
    const service = await open();
    const options = { attributes: { phone_number: any, username: any } };
    await service.manage.create("/api/v2/connections", { name: "named", strategy: "auth0", options });
    await service.manage.create("/api/v2/users", { connection: "named", username: "+610412345678", password });
    const begun = await begin(service, "named");
    const screen = await act(service, begun, { action: "continue", identifier: typed }, ({ name }) => ({ number: String(name) }));
    expect(screen).toEqual({ number: "password" });
    expect(await submitStep(begun.browser, begun.state, { action: "sign-in", password })).toHaveProperty("redirect_to");
  });
});

test("the blocks of a user are found by each spelling of the phone number", async () => {
  const { manage } = await open();
  await manage.create("/api/v2/users", { connection: "people", phone_number: "+61412345678", password });
  for (const typed of ["+61412345678", "+61 412 345 678", "＋６１ ４１２ ３４５ ６７８"])
    expect(await manage("GET", `/api/v2/user-blocks?identifier=${encodeURIComponent(typed)}`)).toMatchObject({ body: { blocked_for: [] } });
});
