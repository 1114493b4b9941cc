import { beforeAll, describe, expect, test } from "vitest";
import { actions, steps } from "../packages/core/src/login/steps.ts";
import { members, resolve, type Operation, type Schema } from "../packages/testing/src/isolation/document.ts";
import { descriptions } from "./openapi-sweep/description.ts";
import { undeclared } from "./openapi-sweep/replies.ts";
import { object, text, type Json } from "./support/api.ts";
import type { Browser } from "./support/browser.ts";
import { openFederation, signInAtProvider } from "./upstream/journey.ts";
import { authorize, getFlow, loginState, openService, type App, type LoginService } from "./support/flow.ts";
import { organizationsBy } from "./support/organizations.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "./support/outbox.ts";
import type { Answer } from "./support/postern.ts";

/** What the document says of a login as JSON is what hosts build their own pages on: each reply of a walk through every screen is held against it. */

const [show, act] = ["GET /u/flow", "POST /u/flow"].map((title) => {
  const operation = descriptions.auth.operations.find((each) => each.title === title);
  if (operation === undefined) throw new Error(`no operation ${title}`);
  return operation;
});

const schemas = members(members(descriptions.auth.document["components"])["schemas"]);
const password = "correct horse battery";

let service: LoginService;
let outbox: Outbox;
let partner: App;
let acme: string;
const seen = new Set<string>();

beforeAll(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
  partner = await service.register({
    secret: true,
    name: "Partner",
    is_first_party: false,
    organization_usage: "require",
    organization_require_behavior: "post_login_prompt",
  });
  const organizations = organizationsBy(service.manage);
  acme = await organizations.create("acme", { display_name: "Acme Inc.", branding: { logo_url: "https://cdn.example.test/acme.png" } });
  await organizations.addMembers(acme, service.ada);
  await organizations.addMembers(await organizations.create("beta"), service.ada);
});

/** A page of a host's own. */
interface Page {
  /** Does something, or only looks. @returns the screen after it; undefined where the login is over. */
  send(action?: string, fields?: object): Promise<Json | undefined>;
  /** Sends a body as it is. */
  sendRaw(body: object): Promise<Answer>;
  readonly state: string;
}

async function open(browser: Browser, app: App, asked = {}): Promise<Page> {
  const state = loginState(await authorize(browser, app, asked));
  let csrf = "";
  const call = async (operation: Operation | undefined, response: Response): Promise<Answer> => {
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expect(operation && undeclared(operation, answer)).toBeUndefined();
    return answer;
  };
  const look = async (): Promise<Json> => object(await call(show, await browser.get(`/u/flow?${new URLSearchParams({ state })}`)));
  const sendRaw = async (body: object): Promise<Answer> => call(act, await browser.post("/u/flow", { json: body }));
  return {
    state,
    sendRaw,
    send: async (action, fields = {}) => {
      const answer = action === undefined ? undefined : await sendRaw({ state, csrf, action, ...fields });
      // A refusal is told without the screen: that is asked for again.
      const reply = answer?.status === 200 ? members(answer.body) : await look();
      csrf = text(reply, "csrf");
      if (reply["screen"] === undefined) {
        expect(reply).toHaveProperty("redirect_to");
        return undefined;
      }
      const screen = members(reply["screen"]);
      seen.add(text(screen, "name"));
      return screen;
    },
  };
}

test("a walk through every screen gets no reply that the document does not describe", async () => {
  const browser = service.browser();
  const page = await open(browser, partner);
  expect(await page.send()).toMatchObject({ name: "identifier" });
  expect(await page.send("continue", { identifier: " " })).toMatchObject({ name: "identifier", problem: "identifier-missing" });
  expect(await page.send("continue", { identifier: service.ada.email })).toMatchObject({ name: "password" });
  expect(await page.send("sign-in", { password: "wrong" })).toMatchObject({ name: "password", problem: "wrong-credentials" });
  expect(await page.send("change-identifier")).toMatchObject({ name: "identifier" });
  expect(await page.send("sign-in", { identifier: service.ada.email, password })).toMatchObject({ name: "select-organization" });
  expect(await page.send("select-organization", { organization: acme })).toMatchObject({ name: "consent" });
  expect(await page.send("accept")).toBeUndefined();

  const again = await open(browser, partner, { prompt: "select_account consent", organization: acme });
  expect(await again.send()).toMatchObject({ name: "select-account" });
  expect(await again.send("continue-as")).toMatchObject({ name: "consent" });
  expect(await again.send("other-account")).toMatchObject({ name: "identifier" });

  const app = await service.register({ organization_usage: "allow" });
  const invite = async (email: string): Promise<object> => {
    const body = { inviter: { name: "Ann" }, invitee: { email }, client_id: app.clientId };
    const { ticket_id: invitation } = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, body);
    return { invitation, organization: acme };
  };
  const newcomer = await open(service.browser(), app, await invite("new@example.test"));
  expect(await newcomer.send()).toMatchObject({ name: "create-account" });
  expect(await newcomer.send("create-account", { password: "x" })).toMatchObject({ problem: "password-too-weak" });
  expect(await newcomer.send("have-account")).toMatchObject({ name: "identifier", invitation: { inviter: "Ann" } });
  const member = await open(service.browser(), app, await invite(service.bob.email));
  await member.send();
  expect(await member.send("sign-in", { identifier: service.bob.email, password })).toMatchObject({ name: "invitation" });
  expect(await member.send("accept-invitation")).toBeUndefined();

  const forgetful = await open(service.browser(), partner, { organization: acme });
  await forgetful.send();
  expect(await forgetful.send("continue", { identifier: service.ada.email })).toMatchObject({ name: "password", reset: true });
  expect(await forgetful.send("forgot-password")).toMatchObject({ name: "reset-password" });
  expect(await forgetful.send("send-reset", { identifier: service.ada.email })).toMatchObject({ name: "code" });
  const code = codeOf(outbox.take(service.ada.email));
  expect(await forgetful.send("enter-code", { code: differentCode(code) })).toMatchObject({ problem: "wrong-code" });
  expect(await forgetful.send("resend-code")).toMatchObject({ name: "code", again: true });
  const newer = codeOf(outbox.take(service.ada.email));
  expect(await forgetful.send("enter-code", { code: newer })).toMatchObject({ name: "new-password" });
  expect(await forgetful.send("set-password", { password: "a b" })).toMatchObject({ problem: "password-too-weak" });
  expect(await forgetful.send("set-password", { password: "another horse battery" })).toBeUndefined();

  const person = await open(service.browser(), app, { screen_hint: "signup" });
  expect(await person.send()).toMatchObject({ name: "sign-up" });
  expect(await person.send("make-account", { email: "mira@" })).toMatchObject({ problem: "password-missing" });
  expect(await person.send("make-account", { email: "mira@example.test", password })).toMatchObject({ name: "code", purpose: "sign-up" });

  const federation = await openFederation();
  await federation.connect();
  const { service: ours, provider } = federation;
  const browserOfAda = ours.browser();
  const elsewhere = await open(browserOfAda, ours.web, { connection: "fieldnotes" });
  expect(await elsewhere.send()).toMatchObject({ name: "provider", provider: { label: "Fieldnotes" } });
  const { csrf } = await getFlow(browserOfAda, elsewhere.state);
  const left = await elsewhere.sendRaw({ state: elsewhere.state, csrf, action: "continue-with" });
  await browserOfAda.get(await signInAtProvider(federation, text(object(left), "redirect_to"), provider.ada));
  expect(await elsewhere.send()).toMatchObject({ name: "link-account", email: ours.ada.email });
  expect(await elsewhere.send("link-account")).toMatchObject({ name: "password" });

  expect([...seen].toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
});

describe("the document", () => {
  test("has a component for every screen and every action, told apart by its name, with each of its fields and problems", () => {
    const screens = variantsOf("Screen", "name");
    expect([...screens.keys()].toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
    for (const { name, shows, problems, actions: own } of steps) {
      const { description, properties } = screens.get(name) ?? {};
      expect(Object.keys(members(properties))).toEqual(expect.arrayContaining(["name", ...Object.keys(shows)]));
      expect(members(members(properties)["problem"])["enum"] ?? []).toEqual(Object.keys(problems));
      for (const action of Object.keys(own)) expect(description).toContain(`\`${action}\``);
    }
    const taken = variantsOf("FlowAction", "action");
    expect([...taken.keys()].toSorted()).toEqual(Object.keys(actions).toSorted());
    for (const [name, { fields }] of Object.entries(actions)) {
      expect(Object.keys(members(taken.get(name)?.["properties"]))).toEqual(["state", "csrf", "action", ...Object.keys(fields)]);
    }
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["IdentifierScreen", "SelectAccountScreen", "SignInAction", "InvitedTo"]));
  });

  test("says of every field of a screen and of an action what it is", () => {
    const silent: string[] = [];
    const look = (schema: Schema, at: string, passed: readonly unknown[]): void => {
      const own = resolve(descriptions.auth.document, schema);
      const named = schema["$ref"] ?? at;
      if (passed.includes(named)) return;
      for (const [name, field] of Object.entries(members(own["properties"]))) {
        const { const: fixed, description } = { ...resolve(descriptions.auth.document, members(field)), ...members(field) };
        if (fixed === undefined && description === undefined) silent.push(`${at}.${name}`);
        look(members(field), `${at}.${name}`, [...passed, named]);
      }
      if (own["items"] !== undefined) look(members(own["items"]), `${at}[]`, [...passed, named]);
    };
    for (const [name, variant] of [...variantsOf("Screen", "name"), ...variantsOf("FlowAction", "action")]) look(variant, name, []);
    expect(silent).toEqual([]);
  });
});

test.each([
  ["an action that there is not", { action: "fly" }, "'action' must be one of continue-as, "],
  ["no action", {}, "'action'"],
  ["a field that the action does not take", { action: "continue", pasword: "x" }, "unknown field 'pasword'"],
  ["a field of another action", { action: "continue", password: "x" }, "unknown field 'password'"],
  ["a field of another type", { action: "continue", identifier: 3 }, "'identifier' expected string"],
])("%s is a 400 that names the field", async (_what, sent, named) => {
  const page = await open(service.browser(), service.web);
  const answer = await page.sendRaw({ state: page.state, csrf: "x", ...sent });
  expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request", error_description: expect.stringContaining(named) } });
});

/** The members of a union, by the value that its discriminator leads to them with. */
function variantsOf(union: string, field: string): Map<string, Schema> {
  const { oneOf, discriminator } = members(schemas[union]);
  const { propertyName, mapping } = members(discriminator);
  expect(propertyName).toBe(field);
  const variants = Object.entries(members(mapping)).map(([value, $ref]) => [value, resolve(descriptions.auth.document, { $ref })] as const);
  expect(oneOf).toEqual(Object.values(members(mapping)).map(($ref) => ({ $ref })));
  for (const [value, { properties }] of variants) expect(members(members(properties)[field])["const"]).toBe(value);
  return new Map(variants);
}
