import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createSoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import type { CreationOptions, RequestOptions } from "../../packages/core/src/model/factors/webauthn.ts";
import { creationOptionsOf, requestOptionsOf } from "../factors/passkey-api-support.ts";
import { totpAt } from "../factors/support.ts";
import type { PageView } from "../standalone/form-browser.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { blocksOf, commandOf, commandsOf, examples, fillIn, printedText, runTypeScript, type GuideCommand } from "../support/guides.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { runCommands, startCommand, type Variables } from "./support/commands.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { openGuideApp, type GuideApp } from "./support/guide-app.ts";
import { copyTarballs } from "./support/packed.ts";

/*
 * Follows guides from an empty folder, over the packed tarballs: every command and example as it is printed, in the
 * printed order.
 */

/** The parent of the readers' folders. It also contains `postern/tarballs`, like a clone of the repository. */
let parent: string;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), "postern-guides-"));
  const tarballs = join(parent, "postern/tarballs");
  mkdirSync(tarballs, { recursive: true });
  await copyTarballs(["core", "app", "memory", "express", "hono", "kysely", "next", "testing", "cli"], tarballs);
}, 300_000);
afterAll(() => rmSync(parent, { recursive: true }));

const firstApp = (pattern: RegExp): string => printedText("first-app", pattern);
const me = { email: firstApp(/sign in as `([^`]+)`/), password: firstApp(/sign in as `[^`]+` with `([^`]+)`/) };
const mira = { email: "mira@example.com", password: "a-Password-of-mira-1" };
const startServer = firstApp(/Start the app with `([^`]+)`/);

type Framework = "Express" | "Hono" | "Next.js";
const [installExpress = "", installNext = "", init = ""] = examples("first-app", "Write the app", "sh");
const packagesOf = (pattern: RegExp): string => ` ${firstApp(pattern)} `;
const installCommands: { readonly [F in Framework]: string } = {
  Express: installExpress,
  Hono: fillIn(installExpress, {
    [packagesOf(/for Hono, install `[^`]+` instead of `([^`]+)`/)]: packagesOf(/for Hono, install `([^`]+)`/),
  }),
  "Next.js": installNext,
};

const folders = new Map<Framework, Promise<string>>();

/** Follows "Write the app" in an empty folder, once for each framework. */
async function openApp(framework: Framework, skip: (reason: string) => never): Promise<GuideApp> {
  const write = async (): Promise<string> => {
    // create-next-app uses the folder's name as the package name, and npm allows no capital letters there.
    const folder = join(parent, framework.toLowerCase());
    mkdirSync(folder);
    await runCommands(folder, `${installCommands[framework]}\n${init}`);
    return folder;
  };
  const written = folders.get(framework) ?? write();
  folders.set(framework, written);
  await fromRegistry(framework, skip, () => written);
  return openGuideApp(await written);
}

/** Sends a request to the Management API. */
async function manage({ issuer }: GuideApp, token: string, method: string, path: string, body?: object): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${issuer}api/v2/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

/** Creates the user of the guides. @returns the user's id. */
async function createMira(app: GuideApp, token: string): Promise<string> {
  const settings = { connection: "Username-Password-Authentication", email_verified: true };
  return stringMember(jsonBody(await manage(app, token, "POST", "users", { ...settings, ...mira }), 201), "user_id");
}

/** Returns the name of the screen that a login page shows. */
const screenOf = ({ html }: PageView): string | undefined => /class="card screen-([\w-]+)"/.exec(html)?.[1];

/** Returns a matcher for a printed response, in which `…` stands for any text. */
function shapeOf(response: string): unknown {
  return JSON.parse(response.replaceAll("[…]", '"[…]"').replaceAll("id.example.com", "localhost"), (_, value: unknown) => {
    if (value === "[…]") return expect.any(Array);
    return typeof value === "string" && value.includes("…") ? expect.stringContaining(value.split("…")[0] ?? "") : value;
  });
}

/** Runs a command of a guide. @param values replace placeholders of the command. @returns the JSON that it prints. */
async function runJson(app: GuideApp, { command }: GuideCommand, variables: Variables, values: Variables = {}): Promise<JsonBody> {
  return JSON.parse(await app.run(fillIn(command, values), variables)) as JsonBody;
}

/** The same, and compares the JSON with the printed response. */
async function runStep(app: GuideApp, step: GuideCommand, variables: Variables, values: Variables = {}): Promise<JsonBody> {
  // Only the errors of an app in development have a link.
  const { error_uri: _, ...reply } = await runJson(app, step, variables, values);
  expect(reply).toEqual(shapeOf(step.response));
  return reply;
}

test.for(["Express", "Hono", "Next.js"] as const)(
  "docs/first-app.md leads to a %s app with sign-in, a protected page, a protected API and sign-out",
  { timeout: 900_000 },
  async (framework, { skip }) => {
    if (framework !== "Express" && !isNightly) skip(onlyNightly);
    const app = await openApp(framework, skip);
    if (framework !== "Next.js") {
      await checkApp(app, startServer);
      return;
    }
    await checkApp(app, firstApp(/in Next\.js with `([^`]+)`/));
    await app.run(firstApp(/`(npx next build)`/));
    // In production, the app creates no user and prints no mail. The user of the development app is in the database.
    const built = await app.start(firstApp(/`(npx next start)`/), { APP_URL: app.url });
    await checkSignIn(app.openBrowser(me));
    await built.stop();
  },
);

/** Opens the protected page and signs in there. @returns the path of the page. */
async function checkSignIn(browser: ReturnType<GuideApp["openBrowser"]>): Promise<string> {
  const page = firstApp(/Open <http:\/\/localhost:3000\/(\w+)>/);
  const login = await browser.open(page);
  expect(screenOf(login)).toBe("identifier");
  const signedIn = await browser.signIn(login);
  expect(signedIn.path).toBe(page);
  expect(signedIn.html).toMatch(new RegExp(firstApp(/The page `\/me` says "([^"]+)"/).replace(" ", "\\s(<!-- -->)?")));
  return page;
}

/** Checks what the guide says about the app, and its commands for the Management API. */
async function checkApp(app: GuideApp, command: string): Promise<void> {
  const server = await app.start(command);
  const browser = app.openBrowser(me);
  const page = await checkSignIn(browser);
  expect((await browser.open("call-api")).html).toMatch(/^\{"user":"[^"]+"\}$/);
  expect(await app.run(firstApp(/`(curl -i [^`]+)`/))).toMatch(/^HTTP\/1\.1 401 /);
  const signOut = await browser.send("POST", "logout", {}, { origin: new URL(app.url).origin });
  expect(signOut.headers.get("location")).toBe(app.url);
  expect(screenOf(await browser.open(page))).toBe("identifier");

  const visitor = app.openBrowser(mira);
  const form = await visitor.fill(await visitor.open(page), { action: "sign-up" });
  const sent = await visitor.fill(form, { action: "make-account", ...mira });
  await expect.poll(server.output).toMatch(/Mail to mira@example\.com[^]*?^ +\d{6}$/m);
  const [, code = ""] = /Mail to mira@example\.com[^]*?^ +(\d{6})$/m.exec(server.output()) ?? [];
  expect((await visitor.fill(sent, { action: "enter-code", code })).html).toContain(mira.email);

  const [getToken = "", useToken = ""] = examples("first-app", "Get a token for the Management API", "sh");
  const { access_token: token = "" } = JSON.parse(await app.run(getToken)) as { readonly access_token?: string };
  const clients = await app.run(fillIn(useToken, { "eyJ…": token }));
  expect(JSON.parse(clients)).toContainEqual(expect.objectContaining({ client_id: "backend" }));
  const [exports = ""] = useToken.split("\n");
  const [listUsers = ""] = examples("management-token", "Check that it works", "sh");
  expect(JSON.parse(await app.run(`${fillIn(exports, { "eyJ…": token })}\n${listUsers}`))).toHaveLength(1);

  expect(await startCommand(app.folder, command, { PORT: new URL(app.url).port }).code).toBe(Number(firstApp(/the app exits with (\d)/)));
  await server.stop();
}

test(
  "the examples of docs/second-factors.md require a factor at the login, at an API and for a page",
  { timeout: 600_000 },
  async ({ skip }) => {
    const app = await openApp("Express", skip);
    const [enable = ""] = examples("second-factors", "Enable the factors", "ts");
    await app.runCode(enable);
    const server = await app.start(startServer);
    const variables = { ISSUER: app.issuer, TOKEN: await app.token() };
    const enabled = list(await manage(app, variables.TOKEN, "GET", "guardian/factors")).filter((factor) => factor["enabled"] === true);
    expect(enabled.map(({ name }) => name)).toEqual(["otp", "recovery-code"]);
    for (const step of commandsOf("second-factors", "Enable the factors"))
      expect(await runJson(app, step, variables)).toEqual({ enabled: true });
    expect(await runJson(app, commandOf("second-factors", "Require a factor"), variables)).toEqual(["all-applications"]);

    // "Check that it works".
    const browser = app.openBrowser(me);
    const choice = await browser.signIn(await browser.open("me"));
    expect(screenOf(choice)).toBe("add-factor");
    const setup = await browser.fill(choice, { action: "choose-new-factor", factor: "totp" });
    const [, secret = ""] = /secret=([A-Z2-7]+)/.exec(setup.html) ?? [];
    const recovery = await browser.fill(setup, { action: "confirm-new-factor", code: totpAt(secret, Date.now()) });
    expect(screenOf(recovery)).toBe("recovery-code");
    const [, recoveryCode = ""] = /data-copy="(\w+)"/.exec(recovery.html) ?? [];
    expect((await browser.fill(recovery, { action: "recovery-code-stored" })).html).toBe(`Hello ${me.email}`);
    const next = app.openBrowser(me);
    const challenge = await next.signIn(await next.open("me"));
    expect(screenOf(challenge)).toBe("factor");
    expect((await next.fill(challenge, { action: "enter-factor-code", code: totpAt(secret, Date.now() + 30_000) })).html).toBe(
      `Hello ${me.email}`,
    );

    const unsatisfiable = ["second-factors", "Policies that users cannot satisfy"] as const;
    await app.run(commandOf(...unsatisfiable).command);
    for (const code of examples(...unsatisfiable, "ts")) await app.runCode(code);
    const policies = async () => (await manage(app, variables.TOKEN, "GET", "guardian/policies")).body;
    // The server caches settings that another process changes, for five seconds.
    await expect.poll(policies).toEqual([]);
    await manage(app, variables.TOKEN, "PUT", "guardian/policies", ["all-applications"]);
    const client = { CLIENT_ID: "backend", CLIENT_SECRET: readVariable(app, "BACKEND_SECRET") };
    expect(await app.run(commandOf(...unsatisfiable, 1).command, { ...variables, ...client })).toMatch(
      /^\{"access_token":"[^"]+",.*\}\[\]$/,
    );
    expect(await policies()).toEqual([]);

    const acrRequests = blocksOf("second-factors").filter(({ language }) => language === "text");
    expect(acrRequests).toHaveLength(2);
    for (const { code } of acrRequests) {
      const visitor = app.openBrowser(me);
      const path = `auth${fillIn(code.trim(), { "…": authorizationRequest(app) })}`;
      expect(screenOf(await visitor.signIn(await visitor.open(path)))).toBe("factor");
    }

    const [api = ""] = examples("second-factors", "Require a factor at an API", "ts");
    const [pages = ""] = examples("second-factors", "Require a factor for a page", "ts");
    const [, audience = ""] = /audience: "([^"]+)"/.exec(api) ?? [];
    jsonBody(await manage(app, variables.TOKEN, "POST", "resource-servers", { identifier: audience, scopes: [{ value: "pay" }] }), 201);
    const token = await userToken(app, { audience, scope: "openid pay" });
    await server.stop();
    writePayments(app, api, pages);
    const payments = await app.start(startServer.replace("server.ts", "payments.ts"));

    const { command } = commandOf("second-factors", "Require a factor at an API");
    const refused = await app.run(command, { API: app.url.slice(0, -1), TOKEN: token });
    const [refusal = ""] = blocksOf("second-factors").flatMap(({ language, code }) => (language === "http" ? [code] : []));
    for (const line of refusal.trim().split("\n")) expect(refused.toLowerCase()).toContain(line.toLowerCase());

    const payer = app.openBrowser(me);
    const asked = await payer.signIn(await payer.open("payments"));
    expect(screenOf(asked)).toBe("factor");
    const recovered = await payer.fill(asked, { action: "choose-factor", factor: "recovery-code" });
    const replaced = await payer.fill(recovered, { action: "enter-factor-code", code: recoveryCode });
    expect((await payer.fill(replaced, { action: "recovery-code-stored" })).html).toBe("Your payments");

    const userId = await createMira(app, variables.TOKEN);
    const ticket = commandOf("second-factors", "Let a user add a factor without a sign-in");
    const { ticket_url: link } = await runJson(app, ticket, variables, { "auth0|123": userId });
    await expect.poll(payments.output).toContain(link);
    const reader = app.openBrowser(mira);
    const opened = await reader.open(String(link).slice(app.url.length));
    expect((await reader.fill(opened, { action: "choose-new-factor", factor: "totp" })).html).toContain("otpauth://totp/");
  },
);

const codeVerifier = "v".repeat(43);

/** Returns the parameters of an authorization request of the app's client. */
function authorizationRequest({ url }: GuideApp, more: Variables = {}): string {
  const request = { client_id: "app", redirect_uri: `${url}callback`, response_type: "code", scope: "openid", ...more };
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  return new URLSearchParams({ ...request, code_challenge: codeChallenge, code_challenge_method: "S256" }).toString();
}

/** Reads a variable that `postern init` wrote into `.env`. */
function readVariable({ folder }: GuideApp, name: string): string {
  const [, value = ""] = new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(join(folder, ".env"), "utf8")) ?? [];
  return value;
}

/** Signs the user in with the password alone. @returns an access token for an API. */
async function userToken(app: GuideApp, requested: Variables): Promise<string> {
  const browser = app.openBrowser(me);
  const login = await browser.open(`auth/authorize?${authorizationRequest(app, requested)}`);
  // The app's callback refuses this code, because the app has not requested it.
  const { path } = await browser.signIn(login);
  const form = {
    grant_type: "authorization_code",
    client_id: "app",
    code: new URL(path, app.url).searchParams.get("code") ?? "",
    redirect_uri: `${app.url}callback`,
    code_verifier: codeVerifier,
  };
  const response = await fetch(`${app.issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return stringMember((await response.json()) as JsonBody, "access_token");
}

/** Writes a server with the examples that protect an API and a page. */
function writePayments({ folder }: GuideApp, api: string, pages: string): void {
  const auth = readFileSync(join(folder, "auth.ts"), "utf8");
  const files = {
    "sessions.ts": fillIn(auth, { "const sessions": "export const sessions" }),
    "payments-api.ts": `import { openPostern } from "./postern.config.ts";\nconst postern = await openPostern();\n${api}\nexport { api };`,
    "payments-pages.ts": `import { appUrl as APP_URL } from "./postern.config.ts";\nimport { sessions } from "./sessions.ts";\n${pages}\nexport { app };`,
    "payments.ts": `import express from "express";
import { posternHandler } from "./sessions.ts";
import { api } from "./payments-api.ts";
import { app } from "./payments-pages.ts";
import { port } from "./postern.config.ts";
express().use(posternHandler, api, app).listen(port);
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

test(
  "the examples of docs/passkeys.md and docs/passkey-api.md offer passkeys, and sign a user up and in",
  { timeout: 600_000 },
  async ({ skip }) => {
    const app = await openApp("Express", skip);
    for (const code of examples("passkeys", "Enable passkeys", "ts")) await app.runCode(code);
    await app.start(startServer);
    const variables = { ISSUER: app.issuer, TOKEN: await app.token(), CLIENT_ID: "app" };
    const connection = async () => list(await manage(app, variables.TOKEN, "GET", "connections"))[0] ?? {};
    const { id, options } = await connection();
    expect(options).toMatchObject({ authentication_methods: { passkey: { enabled: true } } });
    const methods = { password: { enabled: true }, passkey: { enabled: false } };
    jsonBody(
      await manage(app, variables.TOKEN, "PATCH", `connections/${String(id)}`, {
        options: { ...(options as JsonBody), authentication_methods: methods },
      }),
    );
    await app.run(commandOf("passkeys", "Enable passkeys").command, { ...variables, CONNECTION_ID: String(id) });
    expect((await connection())["options"]).toEqual(options);

    // "Check that it works". Without JavaScript, the page contains the button and its options.
    const login = await app.openBrowser(me).open("me");
    expect(login.html).toContain(printedText("passkeys", /Choose "([^"]+)"/));
    expect(login.html).toContain("data-key-options=");

    for (const code of examples("passkey-api", "Enable passkeys", "ts")) await app.runCode(code, variables);
    const grants = async () => jsonBody(await manage(app, variables.TOKEN, "GET", "clients/app"))["grant_types"];
    const passkeyGrants = ["urn:okta:params:oauth:grant-type:webauthn", "refresh_token"];
    await expect.poll(grants).toEqual(expect.arrayContaining(passkeyGrants));
    jsonBody(await manage(app, variables.TOKEN, "PATCH", "clients/app", { grant_types: ["authorization_code"] }));
    for (const { command } of commandsOf("passkey-api", "Enable passkeys")) await app.run(command, variables);
    expect(await grants()).toEqual(expect.arrayContaining(passkeyGrants));

    const device = createSoftwareAuthenticator({ origin: new URL(app.url).origin });
    const [registered, exchange] = [commandOf("passkey-api", "Sign a user up"), commandOf("passkey-api", "Sign a user up", 1)];
    const registration = await runStep(app, registered, variables);
    const [create = ""] = examples("passkey-api", "Sign a user up", "js");
    const { credential: created } = await runTypeScript(create, {
      reply: registration,
      PublicKeyCredential: { parseCreationOptionsFromJSON: () => creationOptionsOf(registration) },
      navigator: { credentials: { create: ({ publicKey }: { readonly publicKey: CreationOptions }) => device.create(publicKey) } },
    });
    const answer = (reply: JsonBody, credential: unknown): Variables => ({
      ...variables,
      AUTH_SESSION: stringMember(reply, "auth_session"),
      CREDENTIAL_JSON: JSON.stringify(credential),
    });
    await runStep(app, exchange, answer(registration, created));

    const challenged = await runStep(app, commandOf("passkey-api", "Sign a user in"), variables);
    const [get = ""] = examples("passkey-api", "Sign a user in", "js");
    const { credential: used } = await runTypeScript(get, {
      reply: challenged,
      PublicKeyCredential: { parseRequestOptionsFromJSON: () => requestOptionsOf(challenged) },
      navigator: { credentials: { get: ({ publicKey }: { readonly publicKey: RequestOptions }) => device.get(publicKey) } },
    });
    const signedIn = await runStep(app, exchange, answer(challenged, used));
    const { amr } = decodeJwt(stringMember(signedIn, "id_token"));
    expect(JSON.stringify(amr)).toBe(printedText("passkey-api", /The ID token has `"amr":([^`]+)`/));
    expect(await runJson(app, exchange, answer(challenged, used))).toMatchObject({ error: "invalid_grant" });
    const events = list(await manage(app, variables.TOKEN, "GET", "logs?per_page=100")).map(({ type }) => type);
    expect(events).toEqual(expect.arrayContaining(["passkey_challenge_started", "ss", "s"]));
  },
);

test(
  "the examples of docs/mfa-api.md add an authenticator app and a phone, and sign a user in with both",
  { timeout: 600_000 },
  async ({ skip }) => {
    const app = await openApp("Express", skip);
    // "`sms` requires an SMS sender."
    const config = join(app.folder, "postern.config.ts");
    const text = readFileSync(config, "utf8");
    onTestFinished(() => writeFileSync(config, text));
    const sms = "sms: { send: async ({ to, text }) => console.log(`SMS to ${to}: ${text}`) }";
    writeFileSync(config, fillIn(text, { "messages: { mail }": `messages: { mail, ${sms} }` }));
    for (const code of examples("mfa-api", "Enable the factors", "ts")) await app.runCode(code, { CLIENT_ID: "backend" });
    const server = await app.start(startServer);
    const client = { CLIENT_ID: "backend", CLIENT_SECRET: readVariable(app, "BACKEND_SECRET") };
    const variables = { ISSUER: app.issuer, TOKEN: await app.token(), PASSWORD: mira.password, ...client };
    for (const { command } of commandsOf("mfa-api", "Enable the factors")) await app.run(command, variables);
    await createMira(app, variables.TOKEN);

    const signIn = commandOf("mfa-api", "Request tokens with the password");
    const associate = commandOf("mfa-api", "Add an authenticator");
    const exchange = commandOf("mfa-api", "Exchange the code for tokens");
    const withToken = (reply: JsonBody, member: string): Variables => ({ ...variables, MFA_TOKEN: stringMember(reply, member) });
    const otp = (secret: string, at: number): Variables => ({ "otp=123456": `otp=${totpAt(secret, at)}` });
    const started = withToken(await runStep(app, signIn, variables), "mfa_token");
    const secret = stringMember(await runStep(app, associate, started), "secret");
    const firstCode = otp(secret, Date.now());
    const tokens = await runStep(app, exchange, started, firstCode);
    const [, acr = ""] = /"acr":"([^"]+)"/.exec(printedText("mfa-api", /The ID token has `([^`]+)`/)) ?? [];
    expect(decodeJwt(stringMember(tokens, "id_token"))).toMatchObject({ acr, amr: expect.arrayContaining(["mfa"]) });
    expect(await runJson(app, exchange, started, firstCode)).toMatchObject({ error: "expired_token" });

    const change = ["mfa-api", "Let users change their authenticators"] as const;
    const required = withToken(await runJson(app, commandOf(...change), variables), "mfa_token");
    const access = withToken(await runJson(app, exchange, required, otp(secret, Date.now() + 30_000)), "access_token");
    const phone = { '{"authenticator_types":["otp"]}': printedText("mfa-api", /For a phone, send `([^`]+)`/) };
    const sent = (count: number): string | undefined => [...server.output().matchAll(/^SMS to \S+: .*?(\d{6})/gm)][count - 1]?.[1];
    /** Confirms a phone with the code that it received, as the table says for codes by SMS. */
    const confirm = async (reply: JsonBody, token: Variables, count: number): Promise<JsonBody> => {
      await expect.poll(() => sent(count)).toBeDefined();
      const received = `-d oob_code=${stringMember(reply, "oob_code")} -d binding_code=${sent(count)}`;
      return runJson(app, exchange, token, { "mfa-otp": "mfa-oob", "-d otp=123456": received });
    };
    const changed = await confirm(await runJson(app, associate, access, phone), access, 1);

    const enrolled = ["mfa-api", "Or use an enrolled authenticator"] as const;
    const again = withToken(await runJson(app, signIn, variables), "mfa_token");
    const authenticators: readonly JsonBody[] = JSON.parse(await app.run(commandOf(...enrolled).command, again));
    expect(authenticators).toEqual(expect.arrayContaining(shapeOf(commandOf(...enrolled).response) as unknown[]));
    const idOf = (type: string): string => stringMember(authenticators.find((one) => one["type"] === type) ?? {}, "id");
    const challenge = await runStep(app, commandOf(...enrolled, 1), again, { "phone|dev_…": idOf("phone") });
    expect(await confirm(challenge, again, 2)).toEqual(shapeOf(exchange.response));

    const remove = commandOf(...change, 1);
    const values = { "totp%7Cdev_…": encodeURIComponent(idOf("otp")) };
    const removed = await app.run(fillIn(remove.command, values), { ...variables, ACCESS_TOKEN: stringMember(changed, "access_token") });
    expect(removed).toContain(remove.response);
  },
);
