import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import type { SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { getFlow, sendAuthorization, sendStep, signInAtLoginPage, submitStep, type FlowStep } from "../support/flow.ts";
import { createTicketLink, openLink, type LinkPage } from "../support/links.ts";
import { codeOf, differentCode } from "../support/outbox.ts";
import { oobGrant, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { screenOf, setPolicies, signInToFactor, totpAt, totpOf } from "./support.ts";

/** The places at which a user uses an enrolled factor or adds one. */

export type UsedFactor = "totp" | "phone" | "email" | "webauthn-roaming" | "recovery-code";
export type AddedFactor = "totp" | "phone" | "webauthn-roaming";

/** A user's phone that gets codes. */
export const ownPhone = "+4915112345678";

/** A service, and what its user has: a security key, an authenticator app and a recovery code. */
export interface FactorWorld {
  readonly service: MfaService;
  readonly device: SoftwareAuthenticator;
  readonly appKey: string;
  recoveryCode: string;
}

/** A page or endpoint that waits for a code or the response of a key. */
export interface FactorPrompt {
  /** Submits a code or response. A recovery code is used up. */
  submit(proof: "right" | "wrong"): Promise<void>;
}

type Proofs = { readonly [proof in "right" | "wrong"]: string };

/** Returns the codes of an enrolled factor. A code that is sent must be in the outbox. */
function codesOf({ service, appKey, recoveryCode }: FactorWorld, factor: Exclude<UsedFactor, "webauthn-roaming">): () => Proofs {
  if (factor === "totp") return () => ({ right: totpAt(appKey, service.clock.now()), wrong: "000000" });
  if (factor === "recovery-code") return () => ({ right: recoveryCode, wrong: "A".repeat(24) });
  return sentCode(service, factor === "phone" ? ownPhone : service.ada.email);
}

function sentCode(service: MfaService, to: string): () => Proofs {
  const right = codeOf(service.outbox.take(to));
  return () => ({ right, wrong: differentCode(right) });
}

/** Returns the options for the browser's WebAuthn call on a page. */
function keyOptionsOn({ html }: LinkPage): unknown {
  const [, text = "{}"] = /data-key-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

const useKey = async ({ device }: FactorWorld, options: unknown): Promise<string> =>
  JSON.stringify(await device.get(requestOptionsSchema.parse(options)));

const createKey = async ({ device }: FactorWorld, options: unknown): Promise<string> =>
  JSON.stringify(await device.create(creationOptionsSchema.parse(options)));

/** A form of one of the pages outside of the login. Each submission comes from a new rendering of the page. */
class PageForm {
  readonly #browser: Browser;
  #page: LinkPage;

  constructor(browser: Browser, page: LinkPage) {
    this.#browser = browser;
    this.#page = page;
  }

  get page(): LinkPage {
    return this.#page;
  }

  async submit(fields: { readonly [name: string]: string }): Promise<void> {
    this.#page = await submitSecurity(this.#browser, this.#page, fields);
  }
}

/** Returns the prompt for an enrolled factor on a page that asks for it. */
async function promptOnPage(world: FactorWorld, form: PageForm, factor: UsedFactor): Promise<FactorPrompt> {
  await form.submit({ action: "choose-factor", factor });
  if (factor === "webauthn-roaming") {
    return {
      submit: async (proof) =>
        form.submit({ action: "use-key", response: proof === "right" ? await useKey(world, keyOptionsOn(form.page)) : "{}" }),
    };
  }
  const codes = codesOf(world, factor);
  return { submit: (proof) => form.submit({ action: "enter-factor-code", code: codes()[proof] }) };
}

/** Returns the prompt for a new factor on a page that offers to add one. */
async function additionOnPage(world: FactorWorld, form: PageForm, factor: AddedFactor): Promise<FactorPrompt> {
  const { service } = world;
  await form.submit({ action: "choose-new-factor", factor });
  if (factor === "webauthn-roaming") {
    return {
      submit: async (proof) =>
        form.submit({ action: "confirm-key", response: proof === "right" ? await createKey(world, keyOptionsOn(form.page)) : "{}" }),
    };
  }
  if (factor === "phone") await form.submit({ action: "enter-phone", phone: ownPhone });
  const [, key = ""] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(form.page.html) ?? [];
  const ofApp = () => ({ right: totpAt(key.replaceAll(" ", ""), service.clock.now()), wrong: "000000" });
  const codes = factor === "phone" ? sentCode(service, ownPhone) : ofApp;
  return { submit: (proof) => form.submit({ action: "confirm-new-factor", code: codes()[proof] }) };
}

/** Opens a page of the account, in a session without a factor. */
async function openAccount({ service }: FactorWorld): Promise<PageForm> {
  await setPolicies(service, []);
  const browser = service.browser();
  await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
  return new PageForm(browser, await openSecurity(browser, { view: "add" }));
}

async function openEnrollmentLink({ service }: FactorWorld): Promise<PageForm> {
  const body = { user_id: service.ada.userId, allow_multiple_enrollments: true };
  const link = stringMember(jsonBody(await service.manage("POST", "/api/v2/guardian/enrollments/ticket", body)), "ticket_url");
  const browser = service.browser();
  return new PageForm(browser, await openLink(browser, link));
}

async function openResetLink({ service }: FactorWorld): Promise<PageForm> {
  const browser = service.browser();
  return new PageForm(
    browser,
    await openLink(browser, await createTicketLink(service, "password-change", { user_id: service.ada.userId })),
  );
}

async function atLogin(world: FactorWorld, factor: UsedFactor): Promise<FactorPrompt> {
  const { service } = world;
  await setPolicies(service, ["all-applications"]);
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  await submitStep(browser, state, { action: "choose-factor", factor });
  const send = async (step: FlowStep): Promise<void> => void (await sendStep(browser, state, step));
  if (factor === "webauthn-roaming") {
    const options = async () => screenOf(await getFlow(browser, state))["publicKey"];
    return {
      submit: async (proof) => send({ action: "use-key", response: proof === "right" ? await useKey(world, await options()) : "{}" }),
    };
  }
  const codes = codesOf(world, factor);
  return { submit: (proof) => send({ action: "enter-factor-code", code: codes()[proof] }) };
}

/** Adds a factor in a login that requires one. */
async function additionAtLogin(world: FactorWorld, factor: AddedFactor): Promise<FactorPrompt> {
  const { service } = world;
  await setPolicies(service, ["all-applications"]);
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor }));
  const send = async (step: FlowStep): Promise<void> => void (await sendStep(browser, state, step));
  if (factor === "webauthn-roaming") {
    const options = async () => screenOf(await getFlow(browser, state))["publicKey"];
    return {
      submit: async (proof) =>
        send({ action: "confirm-key", response: proof === "right" ? await createKey(world, await options()) : "{}" }),
    };
  }
  if (factor === "phone") await submitStep(browser, state, { action: "enter-phone", phone: ownPhone });
  const ofApp = () => ({ right: totpAt(stringMember(totpOf(chosen), "secret"), service.clock.now()), wrong: "000000" });
  const codes = factor === "phone" ? sentCode(service, ownPhone) : ofApp;
  return { submit: (proof) => send({ action: "confirm-new-factor", code: codes()[proof] }) };
}

async function grantToken({ service }: FactorWorld): Promise<string> {
  await setPolicies(service, ["all-applications"]);
  return stringMember(await service.begin(), "mfa_token");
}

/** Submits the code of an enrolled factor to the token endpoint. */
async function atTokenEndpoint(world: FactorWorld, factor: UsedFactor): Promise<FactorPrompt> {
  if (factor === "webauthn-roaming") throw new Error("no grant accepts a key");
  const { service } = world;
  const mfa_token = await grantToken(world);
  if (factor === "phone" || factor === "email") {
    const id = list(await service.authenticators(mfa_token)).find(({ type }) => type === factor)?.["id"];
    const challenge = jsonBody(await service.challenge(mfa_token, { authenticator_id: String(id) }));
    return { submit: submitOob(service, mfa_token, challenge, codesOf(world, factor)) };
  }
  const codes = codesOf(world, factor);
  return {
    submit: async (proof) => {
      const code = codes()[proof];
      if (factor === "totp") await service.grant(otpGrant, { mfa_token, otp: code });
      else await service.grant(recoveryGrant, { mfa_token, recovery_code: code });
    },
  };
}

/** Adds a factor with the MFA API. */
async function additionByApi(world: FactorWorld, factor: AddedFactor): Promise<FactorPrompt> {
  const { service } = world;
  const mfa_token = await grantToken(world);
  if (factor === "phone") {
    const body = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: ownPhone };
    const added = jsonBody(await service.associate(mfa_token, body));
    return { submit: submitOob(service, mfa_token, added, sentCode(service, ownPhone)) };
  }
  const secret = stringMember(jsonBody(await service.associate(mfa_token, { authenticator_types: ["otp"] })), "secret");
  return {
    submit: async (proof) => {
      await service.grant(otpGrant, { mfa_token, otp: proof === "right" ? service.codeNow(secret) : "000000" });
    },
  };
}

function submitOob(service: MfaService, mfa_token: string, challenge: JsonBody, codes: () => Proofs): FactorPrompt["submit"] {
  const oob_code = stringMember(challenge, "oob_code");
  return async (proof) => {
    await service.grant(oobGrant, { mfa_token, oob_code, binding_code: codes()[proof] });
  };
}

/** A place, and the factors that it accepts. */
export interface PlaceForFactors<Factor> {
  readonly factors: readonly Factor[];
  open(world: FactorWorld, factor: Factor): Promise<FactorPrompt>;
}

/** A code by email permits no change of factors. */
const permittingChanges: readonly UsedFactor[] = ["totp", "phone", "webauthn-roaming", "recovery-code"];

const ofUse = (open: (world: FactorWorld) => Promise<PageForm>): PlaceForFactors<UsedFactor> => ({
  factors: permittingChanges,
  open: async (world, factor) => promptOnPage(world, await open(world), factor),
});

/** The places at which a user uses an enrolled factor. */
export const placesOfUse: { readonly [place: string]: PlaceForFactors<UsedFactor> } = {
  login: { factors: [...permittingChanges, "email"], open: atLogin },
  account: ofUse(openAccount),
  "reset link": ofUse(openResetLink),
  "enrollment link": ofUse(openEnrollmentLink),
  "token endpoint": { factors: ["totp", "phone", "email", "recovery-code"], open: atTokenEndpoint },
};

const ofAddition = (open: (world: FactorWorld) => Promise<PageForm>): PlaceForFactors<AddedFactor> => ({
  factors: ["totp", "phone", "webauthn-roaming"],
  open: async (world, factor) => additionOnPage(world, await open(world), factor),
});

/** The places at which a user adds a factor. */
export const placesOfAddition: { readonly [place: string]: PlaceForFactors<AddedFactor> } = {
  login: { factors: ["totp", "phone", "webauthn-roaming"], open: additionAtLogin },
  account: ofAddition(openAccount),
  "enrollment link": ofAddition(openEnrollmentLink),
  "MFA API": { factors: ["totp", "phone"], open: additionByApi },
};
