import { passwordRules, type PasswordPolicyOptions } from "../../packages/core/src/identity/passwords/policy.ts";
import type { PageReason } from "../../packages/core/src/errors.ts";
import { createTranslations } from "../../packages/core/src/locales/translations.ts";
import { languages } from "../../packages/core/src/locales/languages.ts";
import { translator, type Translate } from "../../packages/core/src/locales/translate.ts";
import { drawPage, type RenderedPage } from "../../packages/core/src/login/draw.tsx";
import type { Drawing, PageParts, PageFrame, PageAppearance } from "../../packages/core/src/login/components/drawing.ts";
import { brandingFor, type PageBranding } from "../../packages/core/src/branding/branding.ts";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";
import { brandingSources } from "../../packages/core/src/branding/images.ts";
import type { OtherPage } from "../../packages/core/src/login/page.ts";
import { drawAnswered } from "../../packages/core/src/login/pages/answered.tsx";
import { drawConfirmCode } from "../../packages/core/src/login/pages/confirm-code.tsx";
import { drawConfirmLogout } from "../../packages/core/src/login/pages/confirm-logout.tsx";
import { drawError, type ShownError } from "../../packages/core/src/login/pages/error.tsx";
import { renderFormPost } from "../../packages/core/src/login/pages/form-post.tsx";
import { drawLinkRequest } from "../../packages/core/src/login/pages/link-request.tsx";
import { drawLinkResult } from "../../packages/core/src/login/pages/link-result.tsx";
import { drawLoggedOut } from "../../packages/core/src/login/pages/logged-out.tsx";
import { drawLinkUndo } from "../../packages/core/src/login/pages/link-undo.tsx";
import { drawAddressCode } from "../../packages/core/src/hosted/account/addresses/code-page.tsx";
import { drawNewEmail, drawNewPhone } from "../../packages/core/src/hosted/account/addresses/new-address.tsx";
import { drawAddresses } from "../../packages/core/src/hosted/account/addresses/page.tsx";
import { drawApps, drawRemoveApp, type ShownApps } from "../../packages/core/src/hosted/account/apps/page.tsx";
import { drawConfirmDeletion, drawDeletion, drawScheduled } from "../../packages/core/src/hosted/account/deletion/page.tsx";
import { drawDownload, drawExport } from "../../packages/core/src/hosted/account/export/page.tsx";
import { drawEvents } from "../../packages/core/src/hosted/account/events/page.tsx";
import { drawEditLanguage, drawLanguage } from "../../packages/core/src/hosted/account/language/page.tsx";
import { drawLink } from "../../packages/core/src/hosted/account/linked-accounts/link-page.tsx";
import { drawLinkedAccounts, drawUnlink } from "../../packages/core/src/hosted/account/linked-accounts/page.tsx";
import { drawLeave, drawOrganizations } from "../../packages/core/src/hosted/account/organizations/page.tsx";
import { drawHome, type AccountHome } from "../../packages/core/src/hosted/account/pages/home.tsx";
import { drawChangePassword, drawPasswordState } from "../../packages/core/src/hosted/account/password/page.tsx";
import { drawEditProfile, drawProfile, type ProfileForm, type ShownProfile } from "../../packages/core/src/hosted/account/profile/page.tsx";
import { drawSessions, type ListedSession } from "../../packages/core/src/hosted/account/sessions/page.tsx";
import { drawNewUsername, drawUsername } from "../../packages/core/src/hosted/account/username/page.tsx";
import { drawClosed } from "../../packages/core/src/hosted/account/pages/closed.tsx";
import { drawEnterCode } from "../../packages/core/src/hosted/device/pages/enter-code.tsx";
import { drawDeviceResult } from "../../packages/core/src/hosted/device/pages/result.tsx";
import { userCodeProblem } from "../../packages/core/src/hosted/device/problems.ts";
import { drawNewRecoveryCode } from "../../packages/core/src/hosted/account/security/pages/new-recovery-code.tsx";
import { drawRemove } from "../../packages/core/src/hosted/account/security/pages/remove.tsx";
import { drawRename } from "../../packages/core/src/hosted/account/security/pages/rename.tsx";
import { drawSecurity, type SecurityOverview } from "../../packages/core/src/hosted/account/security/pages/security.tsx";
import { problemNamed } from "../../packages/core/src/hosted/account/section-page.tsx";
import { rulesWithResults } from "../../packages/core/src/login/new-password.ts";
import { drawLinkPassword } from "../../packages/core/src/login/pages/link-password.tsx";
import { drawLinkVerify } from "../../packages/core/src/login/pages/link-verify.tsx";
import { screenSchema, type Screen } from "../../packages/core/src/login/steps.ts";
import { drawScreen } from "../../packages/core/test/draw-screen.ts";
import { passwordMissing } from "../../packages/core/src/login/steps/problems.ts";
import { pictures } from "./pictures.ts";

/** A page in the gallery: one variant of a page. */
export interface Exhibit {
  readonly name: string;
  draw(locale: string): RenderedPage;
}

/** The nonce in the Content-Security-Policy of every exhibit. */
export const nonce = "bm9uY2U";

const catalogues = createTranslations();
/** The translators for all built-in languages, by language tag. */
const translations: ReadonlyMap<string, Translate> = new Map(
  await Promise.all(
    [...languages.keys()].map(async (tag): Promise<[string, Translate]> => [tag, await translator(catalogues, tag, "formal")]),
  ),
);

/** The tenant and the client that a page is rendered for. */
interface Setting {
  readonly branding?: PageBranding;
  readonly tenantName?: string;
  readonly clientName?: string;
}

/** A page with typical data, and its variants with unusual data. */
interface Variants<Of> {
  readonly plain: Of & Setting;
  readonly [variant: string]: Of & Setting;
}

const long = "Vereinigte Südschwedische Gebäudeversicherungsaktiengesellschaft & Söhne";
const longEmail = "maximiliane.von-und-zu-hohenstaufen+newsletter.2026@abteilung.verwaltung.vereinigte-versicherungen.example.com";
/** Texts with 200 characters: one with many words, and one with a single word. */
const words = "Society of the Friends of the Harbour, its Lighthouses, Ferries and Warehouses, and of All Who Sail There "
  .repeat(2)
  .slice(0, 200);
const oneWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(4).slice(0, 200);

const logo = (name: string): string => `${pictures}/${name}.svg`;
/** Two themes: one with a light surface, one with a dark surface. */
const { colors, fonts, widget } = sampleTheme;
const lightTheme = { ...sampleTheme, fonts: { ...fonts, font_url: "" }, widget: { ...widget, logo_url: logo("wide") } };
const darkTheme = {
  ...lightTheme,
  borders: { ...sampleTheme.borders, buttons_style: "sharp", show_widget_shadow: true },
  colors: {
    ...colors,
    widget_background: "#1d1030",
    input_background: "#2a1840",
    primary_button: "#ffb84d",
    primary_button_label: "#1d1030",
  },
  page_background: { background_color: "#0d0618", background_image_url: "", page_layout: "right" },
} as const;
const themed = { branding: brandingFor({ theme: lightTheme }, undefined) };
const darkThemed = { branding: brandingFor({ theme: darkTheme }, undefined) };
const fieldnotes = { name: "Fieldnotes", logoUrl: logo("fieldnotes") };
const mira = "mira@example.com";
const excellent: PasswordPolicyOptions = { passwordPolicy: "excellent" };
/** The strictest password options that a connection can have. */
const everything: PasswordPolicyOptions = {
  passwordPolicy: "excellent",
  password_options: {
    complexity: { character_types: ["lowercase", "uppercase", "number", "special"], sequential_characters: "block" },
  },
};
const invitation = { organization: fieldnotes, inviter: "Jonas Berg" };
const longInvitation = { organization: { name: long }, inviter: long };
const endlessInvitation = { organization: { name: words }, inviter: oneWord };
const invited = { ...invitation, email: mira, account: mira, invited: true };
const newcomer = { ...invitation, email: mira, rules: rulesWithResults(passwordRules("", excellent)) };
const weak = { ...newcomer, rules: passwordRules("fffjord", everything) };
const letDown = { ...newcomer, rules: passwordRules("Harbour+2026", excellent) };
const signingUp = {
  fields: { email: "required", username: "inactive", phone_number: "inactive" },
  typed: {},
  rules: newcomer.rules,
} as const;
const awaited = { purpose: "login", channel: "email", sentTo: mira, resendIn: 30 } as const;
const totpKey = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Harbour:mira%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Harbour&algorithm=SHA1&digits=6&period=30",
};
const scopes = ["openid", "profile", "email", "offline_access"].map((value) => ({ value }));
const asking = {
  client: { name: "Fieldnotes", logoUri: logo("fieldnotes") },
  account: mira,
  destination: "app.fieldnotes.example",
  scopes,
};
const device = {
  client: { name: "Fieldnotes", logoUri: logo("fieldnotes") },
  account: mira,
  userCode: "WDJB-MJHT",
  requestedFrom: "203.0.113.7",
  scopes,
};

/** The names of logos that are difficult to display. */
const hardLogos = ["wide", "tall", "white", "dark", "broken"];
const towns = ["Aalborg", "Bergen", "Cádiz", "Dieppe", "Ålesund", "Gdańsk", "Kotka", "Łeba", "Πειραιάς", "Одеса"];
const sixty = Array.from({ length: 60 }, (_, index) => ({ id: `org_${index}`, name: `${towns[index % 10] ?? ""} Harbour ${index + 1}` }));

/** The data for a step's screen. */
type ScreenData<Name extends Screen["name"]> = { readonly screen: Omit<Extract<Screen, { readonly name: Name }>, "name"> };

const phoneFactor: ScreenData<"factor">["screen"] = { factor: "phone", others: ["totp", "recovery-code"], sentTo: "•••78" };

const requestOptions = { challenge: "AAAA", timeout: 600_000, rpId: "login.example.com", userVerification: "required" } as const;
const passkeySignIn = { publicKey: requestOptions, autofill: true, button: true };
const creationOptions: ScreenData<"create-passkey">["screen"]["publicKey"] = {
  challenge: "AAAA",
  timeout: 600_000,
  rp: { id: "login.example.com", name: "login.example.com" },
  user: { id: "AAAA", name: mira, displayName: "Mira" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
  excludeCredentials: [],
  extensions: { credProps: true },
};

const providers = [
  { connection: "google-oauth2", label: "Google", strategy: "google-oauth2" },
  { connection: "github", label: "GitHub", strategy: "github", lastUsed: true as const },
  { connection: "apple", label: "Apple", strategy: "apple" },
  { connection: "fieldnotes", label: "Fieldnotes", strategy: "oidc" },
];

/** The screens of all steps, with their variants. */
const screens: { readonly [Name in Screen["name"]]: Variants<ScreenData<Name>> } = {
  identifier: {
    plain: { screen: { kinds: ["email", "username"] } },
    "sign-up": { screen: { kinds: ["email"], signUp: true } },
    providers: { screen: { kinds: ["email"], signUp: true, providers } },
    passkey: { screen: { kinds: ["email"], signUp: true, passkey: passkeySignIn } },
    "passkey-providers": { screen: { kinds: ["email"], signUp: true, passkey: passkeySignIn, providers, problem: "passkey-rejected" } },
    "passkey-themed": { screen: { kinds: ["email"], passkey: passkeySignIn }, ...darkThemed },
    "providers-alone": { screen: { kinds: [], providers, problem: "provider-failed" } },
    problem: { screen: { kinds: ["email"], problem: "identifier-missing" } },
    long: { screen: { kinds: ["email", "phone", "username"], identifier: longEmail }, tenantName: long, clientName: long },
    endless: { screen: { kinds: ["phone"], identifier: oneWord }, tenantName: words, clientName: oneWord },
    invitation: { screen: { kinds: ["email"], identifier: mira, invitation } },
    "invitation-long": { screen: { kinds: ["email"], invitation: longInvitation, problem: "identifier-missing" }, tenantName: long },
    "invitation-endless": { screen: { kinds: ["email"], invitation: endlessInvitation }, tenantName: oneWord },
    branded: {
      screen: { kinds: ["email"], identifier: mira },
      branding: { logoUrl: logo("wide"), primaryColor: "#0b6e4f", pageBackground: "#e8f3ec" },
    },
    themed: { screen: { kinds: ["email"], identifier: mira, signUp: true }, ...themed },
    "themed-dark": { screen: { kinds: ["email"], identifier: mira, signUp: true, problem: "identifier-missing" }, ...darkThemed },
    ...Object.fromEntries(
      hardLogos.map((name) => [`logo-${name}`, { screen: { kinds: ["email"] as const }, branding: { logoUrl: logo(name) } }]),
    ),
  },
  password: {
    plain: { screen: { identifier: mira } },
    others: { screen: { identifier: mira, code: "email", reset: true } },
    passkey: { screen: { identifier: mira, code: "email", reset: true, passkey: passkeySignIn } },
    themed: { screen: { identifier: mira, problem: "wrong-credentials" }, ...themed },
    "themed-dark": { screen: { identifier: mira, code: "email", reset: true }, ...darkThemed },
    problem: { screen: { identifier: mira, problem: "wrong-credentials" } },
    missing: { screen: { identifier: mira, problem: "password-missing" } },
    throttled: { screen: { identifier: longEmail, problem: "too-many-attempts" } },
    blocked: { screen: { identifier: mira, problem: "blocked" }, tenantName: long },
    invitation: { screen: { identifier: mira, invitation } },
    "invitation-long": { screen: { identifier: longEmail, invitation: longInvitation, problem: "wrong-credentials" }, tenantName: long },
    endless: { screen: { identifier: oneWord }, tenantName: words },
    organization: {
      screen: { identifier: mira },
      branding: {
        name: "Nordlicht Logistik",
        logoUrl: logo("wide"),
        faviconUrl: logo("fieldnotes"),
        primaryColor: "#b8410e",
        pageBackground: { start: "#ffd7b0", end: "#9db8e8", angle: 35 },
      },
    },
    pale: { screen: { identifier: mira, problem: "wrong-credentials" }, branding: { primaryColor: "#ffe14d", pageBackground: "#10243e" } },
  },
  "sign-up": {
    plain: { screen: signingUp },
    providers: { screen: { ...signingUp, providers } },
    passkey: { screen: { ...signingUp, passkey: true } },
    problem: { screen: { ...signingUp, typed: { email: "mira@" }, problem: "email-malformed" } },
    weak: { screen: { ...signingUp, typed: { email: mira }, rules: weak.rules, problem: "password-too-weak" } },
    all: {
      screen: {
        ...signingUp,
        fields: { email: "required", username: "required", phone_number: "optional" },
        typed: { email: longEmail, username: oneWord, phone_number: "+4512345678" },
        problem: "username-taken",
      },
      tenantName: long,
      clientName: long,
    },
  },
  "create-passkey": {
    plain: { screen: { identifier: mira, publicKey: creationOptions } },
    problem: { screen: { identifier: longEmail, publicKey: creationOptions, problem: "key-rejected" } },
    themed: { screen: { identifier: mira, publicKey: creationOptions }, ...darkThemed },
  },
  "add-passkey": {
    plain: { screen: { publicKey: creationOptions } },
    device: { screen: { publicKey: creationOptions, isNewDevice: true } },
    problem: { screen: { publicKey: creationOptions, problem: "key-rejected" }, ...darkThemed },
  },
  code: {
    plain: { screen: { ...awaited, usePassword: true } },
    problem: { screen: { ...awaited, problem: "wrong-code", resendIn: 0 } },
    again: { screen: { ...awaited, again: true } },
    sms: { screen: { ...awaited, channel: "sms", sentTo: "+4512345678", usePassword: true, problem: "too-many-codes" } },
    "sign-up": { screen: { ...awaited, purpose: "sign-up" } },
    link: { screen: { ...awaited, purpose: "link-account" } },
    reset: { screen: { purpose: "reset-password", channel: "email", resendIn: 30 } },
    long: { screen: { ...awaited, purpose: "reset-password", sentTo: longEmail, invitation: longInvitation }, tenantName: long },
  },
  factor: {
    plain: { screen: { factor: "totp", others: ["phone", "email", "recovery-code"], remember: false } },
    problem: { screen: { factor: "totp", others: ["recovery-code"], remember: true, problem: "wrong-code" } },
    throttled: { screen: { factor: "totp", others: [], problem: "too-many-attempts" }, tenantName: long },
    locked: {
      screen: { factor: "totp", others: ["phone"], remember: false, problem: "too-many-attempts", lockedUntil: "2026-11-27T18:05:00.000Z" },
    },
    "phone-locked": { screen: { ...phoneFactor, sent: true, resendIn: 0, validFor: 300, lockedUntil: "2026-11-27T18:05:00.000Z" } },
    phone: { screen: phoneFactor },
    "phone-sent": { screen: { ...phoneFactor, sent: true, resendIn: 30, validFor: 300, remember: false } },
    "phone-throttled": { screen: { ...phoneFactor, sent: true, resendIn: 0, validFor: 300, problem: "too-many-codes" } },
    "phone-call": {
      screen: { ...phoneFactor, channel: "voice", otherChannel: "sms", sent: true, resendIn: 0, validFor: 300, remember: false },
    },
    phones: {
      screen: {
        ...phoneFactor,
        destinations: [
          { id: "phone|dev_2", factor: "phone", sentTo: "•••12" },
          { id: "phone|dev_3", factor: "phone", sentTo: "•••45", channel: "voice" },
        ],
      },
    },
    email: { screen: { factor: "email", others: [], sentTo: "m•••@example.com", sent: true, resendIn: 0, validFor: 600 } },
    recovery: { screen: { factor: "recovery-code", others: ["totp"] } },
    key: { screen: { factor: "webauthn-roaming", others: ["passkey", "totp"], publicKey: requestOptions, remember: false } },
    "key-locked": {
      screen: { factor: "webauthn-roaming", others: [], publicKey: requestOptions, lockedUntil: "2026-11-27T18:05:00.000Z" },
    },
    passkey: { screen: { factor: "passkey", others: ["recovery-code"], publicKey: requestOptions } },
    "recovery-problem": { screen: { factor: "recovery-code", others: ["totp", "phone"], problem: "wrong-code" } },
    endless: { screen: { factor: "totp", others: ["phone"], remember: false }, tenantName: oneWord },
    themed: { screen: { factor: "totp", others: ["phone"], remember: true }, ...themed },
    "themed-dark": { screen: { factor: "totp", others: ["phone"], remember: true, problem: "wrong-code" }, ...darkThemed },
  },
  "add-factor": {
    frozen: { screen: { options: [], frozen: true } },
    plain: { screen: { options: ["totp", "phone"] } },
    endless: { screen: { options: ["totp", "phone"] }, tenantName: oneWord },
    themed: { screen: { options: ["totp", "phone"] }, ...themed },
    totp: { screen: { options: ["totp", "phone"], factor: "totp", totp: totpKey } },
    "totp-problem": { screen: { options: ["totp"], factor: "totp", totp: totpKey, problem: "wrong-code" } },
    "totp-locked": {
      screen: { options: ["totp"], factor: "totp", totp: totpKey, problem: "wrong-code", lockedUntil: "2026-11-27T18:05:00.000Z" },
    },
    passkey: { screen: { options: ["passkey", "totp", "webauthn-roaming"] } },
    "new-passkey": { screen: { options: ["passkey", "totp"], factor: "passkey", publicKey: creationOptions } },
    "new-key": { screen: { options: ["totp", "webauthn-roaming"], factor: "webauthn-roaming", publicKey: creationOptions } },
    "totp-themed-dark": { screen: { options: ["totp", "phone"], factor: "totp", totp: totpKey }, ...darkThemed },
    phone: { screen: { options: ["totp", "phone"], factor: "phone" } },
    "phone-problem": { screen: { options: ["totp", "phone"], factor: "phone", rejectedPhone: "0170 1234578", problem: "phone-invalid" } },
    "phone-misspelled": {
      screen: {
        options: ["totp", "phone"],
        factor: "phone",
        rejectedPhone: "+61 0412 345 678",
        problem: "phone-misspelled",
        correction: "+61412345678",
      },
    },
    "phone-call": {
      screen: {
        options: ["totp", "phone"],
        factor: "phone",
        sentTo: "+491701234578",
        sent: true,
        resendIn: 30,
        validFor: 300,
        channel: "sms",
        otherChannel: "voice",
      },
    },
    "phone-sent": {
      screen: { options: ["totp", "phone"], factor: "phone", sentTo: "+491701234578", sent: true, resendIn: 30, validFor: 300 },
    },
  },
  "recovery-code": {
    plain: { screen: { code: "7K2MQ9XH4TB8WZ3RNE6YPFDA" } },
    spent: { screen: { code: "7K2MQ9XH4TB8WZ3RNE6YPFDA", isReplacement: true, accountSecurity: "#" } },
    "spent-elsewhere": { screen: { code: "7K2MQ9XH4TB8WZ3RNE6YPFDA", isReplacement: true } },
    themed: { screen: { code: "7K2MQ9XH4TB8WZ3RNE6YPFDA" }, ...darkThemed },
  },
  provider: {
    plain: { screen: { provider: { connection: "microsoft", label: "Microsoft", strategy: "waad" } } },
    linking: { screen: { provider: { connection: "microsoft", label: "Microsoft", strategy: "waad" }, linking: true } },
    problem: { screen: { provider: { connection: "facebook", label: "Facebook", strategy: "facebook" }, problem: "provider-declined" } },
    long: { screen: { provider: { connection: "x", label: long, strategy: "oidc" }, problem: "provider-failed" }, tenantName: long },
  },
  "link-account": {
    plain: { screen: { email: mira, provider: { connection: "linkedin", label: "LinkedIn", strategy: "linkedin" } } },
    "by-code": { screen: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, byCode: true } },
    "own-account": { screen: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, ownAccount: true } },
    failed: {
      screen: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, ownAccount: true, failed: true },
    },
    long: {
      screen: { email: longEmail, provider: { connection: "x", label: long, strategy: "oidc" }, byCode: true, problem: "too-many-codes" },
      tenantName: long,
    },
  },
  "reset-password": {
    plain: { screen: { kinds: ["email"], identifier: mira } },
    problem: { screen: { kinds: ["email", "username"], problem: "identifier-missing" } },
    long: { screen: { kinds: ["email", "username", "phone"], identifier: longEmail, problem: "too-many-codes" }, tenantName: long },
  },
  "new-password": {
    plain: { screen: { account: mira, rules: newcomer.rules } },
    problem: { screen: { account: longEmail, rules: weak.rules, problem: "password-too-weak" }, tenantName: long },
  },
  "create-account": {
    plain: { screen: newcomer },
    problem: { screen: { ...weak, ...longInvitation, email: longEmail, problem: "password-too-weak" }, tenantName: long },
    missing: { screen: { ...newcomer, problem: "password-missing" } },
    common: { screen: { ...letDown, problem: "password-too-common" } },
    personal: { screen: { ...letDown, problem: "password-personal" } },
  },
  "select-account": {
    plain: { screen: { accounts: [{ name: "Mira Lindqvist", email: mira }] } },
    many: {
      screen: {
        accounts: [
          { name: "Mira Lindqvist", email: mira, picture: logo("mira") },
          { name: "ليلى حداد", email: "layla@example.com" },
          { name: long, email: longEmail },
          { name: words, email: "words@example.com", picture: logo("broken") },
          { name: oneWord, email: "word@example.com", picture: logo("wide") },
        ],
      },
    },
    black: {
      screen: { accounts: [{ name: "Mira Lindqvist", email: mira }] },
      branding: { primaryColor: "#000", pageBackground: "#fff" },
    },
  },
  "select-organization": {
    plain: {
      screen: {
        account: mira,
        organizations: [
          { id: "org_1", ...fieldnotes },
          { id: "org_2", name: "Nordlicht Logistik" },
          { id: "org_3", name: "شركة المرفأ" },
          { id: "org_4", name: long },
        ],
      },
    },
    logos: {
      screen: { account: mira, organizations: hardLogos.map((name) => ({ id: name, name: `A ${name} logo`, logoUrl: logo(name) })) },
    },
    endless: {
      screen: {
        account: longEmail,
        organizations: [
          { id: "org_1", name: words },
          { id: "org_2", name: oneWord },
        ],
      },
    },
    twins: {
      screen: {
        account: mira,
        organizations: ["fieldnotes", "fieldnotes-europe"].map((uniqueName, index) => ({ id: `org_${index}`, ...fieldnotes, uniqueName })),
      },
    },
    sixty: { screen: { account: mira, organizations: sixty } },
  },
  invitation: {
    plain: { screen: invited },
    other: { screen: { ...invited, account: "jonas@example.com", invited: false } },
    long: { screen: { ...longInvitation, email: longEmail, account: longEmail, invited: false }, tenantName: long },
    endless: { screen: { ...invited, ...endlessInvitation, account: oneWord }, tenantName: words },
  },
  consent: {
    plain: { screen: asking },
    themed: { screen: asking, ...themed },
    "themed-dark": { screen: asking, ...darkThemed },
    api: {
      screen: {
        client: { name: long },
        account: longEmail,
        audience: "Harbour Billing API",
        destination: "rechnungswesen.abteilung.verwaltung.vereinigte-versicherungen.example.com",
        scopes: [
          { value: "openid" },
          { value: "read:invoices", description: "Read your invoices and the payments that belong to them" },
          { value: "write:invoices:drafts:of:every:department:including:the:ones:abroad" },
        ],
      },
      tenantName: long,
    },
    acts: { screen: { ...asking, audience: "Harbour Billing API", actsForUser: true } },
    nothing: { screen: { ...asking, client: { name: "Fieldnotes" }, scopes: [] } },
    endless: { screen: { ...asking, client: { name: words }, audience: oneWord, account: longEmail }, tenantName: oneWord },
    white: {
      screen: { ...asking, client: { name: "Fieldnotes" } },
      branding: { primaryColor: "#ffffff", pageBackground: "#7a1f5c", logoUrl: logo("fieldnotes") },
    },
    document: {
      screen: {
        ...asking,
        client: { name: "Claude", unverified: true, documentHost: "agents.example" },
        destination: "127.0.0.1:33418",
        destinationKind: "this-computer",
      },
    },
    "document-endless": {
      screen: {
        ...asking,
        client: { name: oneWord + words, unverified: true, documentHost: `${"agents-of-the-harbour.".repeat(4)}example.com` },
        account: longEmail,
        audience: long,
        destination: `${"rechnungswesen.abteilung.".repeat(9)}example.com:8443`,
        destinationKind: "website",
      },
      tenantName: words,
    },
    registered: {
      screen: { ...asking, client: { name: "Harbour Bank", unverified: true }, destination: "cursor", destinationKind: "this-device" },
    },
    "registered-reversed": {
      screen: {
        ...asking,
        client: { name: `\u202e${"בנק הנמל \u2069\u202c knaB ".repeat(9)}\u2067`, unverified: true },
        audience: "Harbour Billing API",
        destination: "app.fieldnotes.example",
        destinationKind: "website",
        scopes: [],
      },
    },
    ...Object.fromEntries(
      hardLogos.map((name) => [
        `logo-${name}`,
        { screen: { ...asking, client: { name: "Fieldnotes", logoUri: logo(name) } }, branding: { logoUrl: logo(name) } },
      ]),
    ),
  },
  "confirm-device": {
    plain: { screen: device },
    elsewhere: { screen: { ...device, requestedFrom: "2001:db8:85a3::8a2e:370:7334", otherNetwork: true } },
    digits: { screen: { ...device, userCode: "493-027-118", audience: "Harbour Billing API", scopes: [] } },
    endless: {
      screen: { ...device, client: { name: words }, account: longEmail, audience: oneWord, otherNetwork: true },
      tenantName: oneWord,
    },
    themed: { screen: device, ...themed },
    "themed-dark": { screen: { ...device, otherNetwork: true }, ...darkThemed },
  },
  "keep-account": {
    plain: { screen: { account: "mira@example.com", deletesAt: "2026-12-13T10:00:00.000Z" } },
    long: { screen: { account: longEmail, deletesAt: "2026-12-13T10:00:00.000Z" } },
  },
};

const app = { href: "https://app.fieldnotes.example/", clientName: "Fieldnotes" };
const requestId = "req_01JD8Y7ZK3N5X2M4Q6R8T0V1WA";
const refused = { code: "invalid_request", description: "redirect_uri is not one of the client's registered callback URLs", requestId };
const expired = {
  code: "login_expired",
  description: "This sign-in has expired or began in another browser. Go back to the app and start again.",
  requestId,
};

const denied = { code: "access_denied", requestId };

/** One error for each reason that has a specific text. */
const reasons: { readonly [Reason in PageReason]: ShownError } = {
  "no-login": { ...denied, reason: "no-login", description: "A sign-in cannot start at this URL. Go to the app and start there." },
  "cookies-blocked": { ...denied, reason: "cookies-blocked", description: "the browser does not store cookies" },
  "invitation-expired": { ...denied, reason: "invitation-expired", description: "the invitation has expired" },
  "invitation-used": { ...denied, reason: "invitation-used", description: "the invitation was used" },
  "invitation-withdrawn": { ...denied, reason: "invitation-withdrawn", description: "the invitation was withdrawn" },
  "no-connection": { ...denied, reason: "no-connection", description: "no connection for signing in is enabled for the client" },
  "device-code-expired": { code: "expired_token", requestId, reason: "device-code-expired", description: "The code has expired" },
  "no-usable-factor": { ...denied, reason: "no-usable-factor", description: "none of the user's factors can be used now" },
};

const passkey = {
  id: "1",
  name: "Mira’s laptop",
  type: "Passkey",
  added: "May 3, 2026",
  used: "Nov 21, 2026",
  isSynced: true,
  rename: "#",
  remove: "#",
};
const overview: SecurityOverview = {
  account: mira,
  factors: [
    passkey,
    { id: "2", name: "Authenticator app", added: "Jan 12, 2026", used: "Nov 26, 2026", rename: "#", remove: "#" },
    { id: "3", name: "Text message \u2068•••78\u2069", added: "Feb 1, 2026", rename: "#", remove: "#" },
  ],
  isFrozen: false,
  add: "#",
  recovery: { exists: true, create: "#" },
  browsers: { count: 2, lastUsed: "Nov 25, 2026" },
  done: undefined,
};

const accountHome: AccountHome = {
  account: mira,
  sections: ["Profile", "Sign-in security", "Devices", "Connected apps", "Recent activity"].map((title) => ({ title, href: "#" })),
  back: app,
  logout: "#",
};
const shownProfile: ShownProfile = {
  account: mira,
  name: "Mira Lindqvist",
  given: "Mira",
  family: "Lindqvist",
  nickname: "",
  email: mira,
  username: "",
  phone: "+46701234567",
  metadata: [],
  provider: undefined,
  edit: "#",
  isSaved: false,
};
const profileForm: ProfileForm = { names: shownProfile, metadata: [], back: "#" };
const metadataForm: ProfileForm = {
  ...profileForm,
  metadata: [
    { id: "metadata-team", label: "Team", type: "text", value: "Cartography", maximum: 60 },
    {
      id: "metadata-size",
      label: "T-shirt size",
      type: "choice",
      value: "m",
      choices: ["Small", "Medium", oneWord].map((label, at) => ({ value: ["s", "m", "l"][at] ?? label, label })),
    },
    { id: "metadata-news", label: "Send me the newsletter", type: "boolean", value: true },
    { id: "metadata-tips", label: words, type: "boolean", value: false },
  ],
};
const thisSession: ListedSession = {
  id: "1",
  isCurrent: true,
  name: "Firefox, Linux",
  address: "203.0.113.9",
  since: "Nov 3, 2026, 9:12 AM GMT+1",
  used: "Nov 26, 2026, 4:30 PM GMT+1",
};
const shownApps: ShownApps = {
  apps: [
    { id: "1", name: "Fieldnotes", scope: ["openid", "read:notes"], since: "May 3, 2026", remove: "#" },
    { id: "2", name: "Calendar", scope: [], since: "May 4, 2026", remove: "#" },
  ],
  isRemoved: false,
};
const noProblem = (drawing: Drawing) => ({ ...drawing, problem: undefined });

const linkDone = { email: mira, returnLink: app, resetPage: undefined };

const date = "December 13, 2026";

/** Every page with a frame that does not belong to a step. */
const others: { readonly [Name in OtherPage]: Variants<{ readonly draw: (drawing: Drawing) => PageParts }> } = {
  "account-home": {
    plain: { draw: (drawing) => drawHome(drawing, accountHome) },
    long: { draw: (drawing) => drawHome(drawing, { ...accountHome, account: longEmail, back: { ...app, clientName: words } }) },
  },
  "account-profile": {
    plain: { draw: (drawing) => drawProfile(drawing, shownProfile) },
    saved: { draw: (drawing) => drawProfile(drawing, { ...shownProfile, isSaved: true, name: oneWord, email: longEmail }) },
    provider: { draw: (drawing) => drawProfile(drawing, { ...shownProfile, edit: undefined, provider: words }) },
    edit: { draw: (drawing) => drawEditProfile(noProblem(drawing), profileForm) },
    problem: { draw: (drawing) => drawEditProfile({ ...drawing, problem: problemNamed("value-invalid") }, profileForm) },
    metadata: {
      draw: (drawing) =>
        drawProfile(drawing, {
          ...shownProfile,
          metadata: [
            ["Team", "Cartography"],
            ["T-shirt size", "Medium"],
            ["Send me the newsletter", drawing.t.text("fieldYes")],
            [words, oneWord],
          ],
        }),
    },
    "metadata-edit": { draw: (drawing) => drawEditProfile(noProblem(drawing), metadataForm) },
    "metadata-problem": {
      draw: (drawing) => drawEditProfile({ ...drawing, problem: problemNamed("change-denied") }, { ...metadataForm, names: undefined }),
    },
  },
  "account-addresses": {
    plain: {
      draw: (drawing) =>
        drawAddresses(noProblem(drawing), { email: mira, phone: "+46701234567", changeEmail: "#", changePhone: "#", isSaved: true }),
    },
    endless: {
      draw: (drawing) =>
        drawAddresses(
          { ...drawing, problem: problemNamed("outdated") },
          { email: longEmail, phone: undefined, changeEmail: "#", changePhone: undefined, isSaved: false },
        ),
    },
    email: { draw: (drawing) => drawNewEmail(noProblem(drawing), "#") },
    "email-problem": { draw: (drawing) => drawNewEmail({ ...drawing, problem: problemNamed("email-same") }, "#") },
    phone: { draw: (drawing) => drawNewPhone({ ...drawing, problem: problemNamed("phone-same") }, "#") },
    code: { draw: (drawing) => drawAddressCode(noProblem(drawing), { kind: "email", address: longEmail, resendIn: 30, back: "#" }) },
    "code-problem": {
      draw: (drawing) =>
        drawAddressCode(
          { ...drawing, problem: problemNamed("wrong-code") },
          { kind: "phone", address: "+46701234567", resendIn: 0, back: "#" },
        ),
    },
  },
  "account-username": {
    plain: { draw: (drawing) => drawUsername(noProblem(drawing), { username: "mira", edit: "#", isSaved: true }) },
    endless: { draw: (drawing) => drawUsername(noProblem(drawing), { username: oneWord, edit: undefined, isSaved: false }) },
    edit: { draw: (drawing) => drawNewUsername(noProblem(drawing), { username: "mira", back: "#" }) },
    problem: {
      draw: (drawing) => drawNewUsername({ ...drawing, problem: problemNamed("username-taken") }, { username: "mira", back: "#" }),
    },
  },
  "account-password": {
    plain: {
      draw: (drawing) =>
        drawPasswordState(noProblem(drawing), { changedAt: "Nov 3, 2026, 9:12 AM GMT+1", isChangeable: true, edit: "#", isSaved: true }),
    },
    none: {
      draw: (drawing) =>
        drawPasswordState(noProblem(drawing), { changedAt: undefined, isChangeable: false, edit: undefined, isSaved: false }),
    },
    edit: { draw: (drawing) => drawChangePassword(noProblem(drawing), { account: mira, rules: newcomer.rules, back: "#" }) },
    problem: {
      draw: (drawing) =>
        drawChangePassword({ ...drawing, problem: problemNamed("password-too-weak") }, { account: mira, rules: weak.rules, back: "#" }),
    },
  },
  "account-linked": {
    plain: {
      draw: (drawing) =>
        drawLinkedAccounts(noProblem(drawing), {
          accounts: [
            { id: "1", provider: "GitHub", account: mira, unlink: "#" },
            { id: "2", provider: words, account: longEmail, unlink: "#" },
          ],
          link: "#",
          done: "linked",
        }),
    },
    none: { draw: (drawing) => drawLinkedAccounts(noProblem(drawing), { accounts: [], link: undefined, done: "unlinked" }) },
    link: {
      draw: (drawing) =>
        drawLink(
          { ...drawing, problem: problemNamed("provider-failed") },
          {
            providers: [
              { connection: "github", label: "GitHub", strategy: "github" },
              { connection: "fieldnotes", label: words, strategy: "oidc" },
            ],
            back: "#",
          },
        ),
    },
    unlink: { draw: (drawing) => drawUnlink(drawing, { provider: "GitHub", decision: "allowed", back: "#" }) },
    last: { draw: (drawing) => drawUnlink(drawing, { provider: "GitHub", decision: "last", back: "#" }) },
    factors: { draw: (drawing) => drawUnlink(drawing, { provider: words, decision: "has-factors", back: "#" }) },
  },
  "account-organizations": {
    plain: {
      draw: (drawing) =>
        drawOrganizations(noProblem(drawing), {
          organizations: [
            { id: "1", name: "Fieldnotes", leave: "#" },
            { id: "2", name: oneWord, leave: "#" },
          ],
          hasLeft: true,
        }),
    },
    none: { draw: (drawing) => drawOrganizations(noProblem(drawing), { organizations: [], hasLeft: false }) },
    leave: { draw: (drawing) => drawLeave(drawing, { name: words, back: "#" }) },
  },
  "account-sessions": {
    plain: {
      draw: (drawing) =>
        drawSessions(drawing, {
          sessions: [thisSession, { ...thisSession, id: "2", isCurrent: false, name: "Chrome, Android" }],
          isReadOnly: false,
          done: undefined,
        }),
    },
    alone: { draw: (drawing) => drawSessions(drawing, { sessions: [thisSession], isReadOnly: false, done: "ended" }) },
  },
  "account-apps": {
    plain: { draw: (drawing) => drawApps(noProblem(drawing), shownApps) },
    none: { draw: (drawing) => drawApps(noProblem(drawing), { apps: [], isRemoved: true }) },
    endless: {
      draw: (drawing) =>
        drawApps(noProblem(drawing), {
          apps: [{ id: "1", name: oneWord, scope: [oneWord], since: "May 3, 2026", remove: "#" }],
          isRemoved: false,
        }),
    },
    remove: { draw: (drawing) => drawRemoveApp(drawing, { name: "Fieldnotes", back: "#" }) },
  },
  "account-export": {
    plain: { draw: (drawing) => drawExport(drawing, { download: "#" }) },
    download: { draw: (drawing) => drawDownload(drawing, { back: "#" }) },
  },
  "account-deletion": {
    plain: { draw: (drawing) => drawDeletion(drawing, { date, confirm: "#" }) },
    confirm: { draw: (drawing) => drawConfirmDeletion(drawing, { date, account: "mira@example.com", back: "#" }) },
    scheduled: { draw: (drawing) => drawScheduled(drawing, { date, returnLink: app }) },
    endless: { draw: (drawing) => drawConfirmDeletion(drawing, { date, account: longEmail, back: "#" }) },
  },
  "account-language": {
    plain: { draw: (drawing) => drawLanguage(drawing, { language: "Svenska", zone: "Europe/Stockholm", edit: "#", isSaved: true }) },
    unset: { draw: (drawing) => drawLanguage(drawing, { language: undefined, zone: undefined, edit: undefined, isSaved: false }) },
    edit: {
      draw: (drawing) =>
        drawEditLanguage(noProblem(drawing), {
          locale: "de",
          zoneinfo: "",
          languages: [
            { value: "de", label: "Deutsch" },
            { value: "en", label: "English" },
          ],
          zones: ["Europe/Berlin", "UTC"],
          back: "#",
        }),
    },
  },
  "account-events": {
    plain: {
      draw: (drawing) =>
        drawEvents(drawing, [
          { id: "1", text: "Signed in", at: "Nov 26, 2026, 4:30 PM GMT+1", device: "Firefox, Linux", address: "203.0.113.9" },
          { id: "2", text: "Password changed", at: "Nov 3, 2026, 9:12 AM GMT+1", device: undefined, address: undefined },
        ]),
    },
    none: { draw: (drawing) => drawEvents(drawing, []) },
  },
  "account-security": {
    plain: { draw: (drawing) => drawSecurity({ ...drawing, problem: undefined }, overview) },
    empty: {
      draw: (drawing) =>
        drawSecurity({ ...drawing, problem: undefined }, { account: mira, factors: [], isFrozen: false, add: "#", done: "removed" }),
    },
    done: { draw: (drawing) => drawSecurity({ ...drawing, problem: undefined }, { ...overview, done: "added" }) },
    problem: { draw: (drawing) => drawSecurity({ ...drawing, problem: problemNamed("conflict") }, overview) },
    frozen: { draw: (drawing) => drawSecurity({ ...drawing, problem: undefined }, { ...overview, isFrozen: true }) },
    endless: {
      draw: (drawing) =>
        drawSecurity(
          { ...drawing, problem: undefined },
          {
            ...overview,
            account: longEmail,
            factors: [
              { ...passkey, name: words },
              { ...passkey, id: "2", name: oneWord },
            ],
          },
        ),
      tenantName: oneWord,
    },
    themed: { draw: (drawing) => drawSecurity({ ...drawing, problem: undefined }, overview), ...themed },
    "themed-dark": { draw: (drawing) => drawSecurity({ ...drawing, problem: undefined }, overview), ...darkThemed },
  },
  "account-rename": {
    plain: { draw: (drawing) => drawRename({ ...drawing, problem: undefined }, { method: "Authenticator app", name: "", back: "#" }) },
    problem: {
      draw: (drawing) => drawRename({ ...drawing, problem: problemNamed("name-missing") }, { method: words, name: words, back: "#" }),
    },
  },
  "account-remove": {
    plain: {
      draw: (drawing) => drawRemove({ ...drawing, problem: undefined }, { method: "Authenticator app", removal: "plain", back: "#" }),
    },
    last: { draw: (drawing) => drawRemove({ ...drawing, problem: undefined }, { method: oneWord, removal: "last", back: "#" }) },
    required: {
      draw: (drawing) => drawRemove({ ...drawing, problem: undefined }, { method: "x", removal: "required", back: "#" }),
      tenantName: long,
    },
  },
  "account-recovery": {
    plain: { draw: (drawing) => drawNewRecoveryCode({ ...drawing, problem: undefined }, { replaces: true, back: "#" }) },
    first: { draw: (drawing) => drawNewRecoveryCode({ ...drawing, problem: undefined }, { replaces: false, back: "#" }) },
  },
  "account-closed": {
    plain: { draw: (drawing) => drawClosed(drawing, { reason: "no-session", returnLink: { href: app.href } }) },
    "at-page": { draw: (drawing) => drawClosed(drawing, { reason: "sign-in-again", canSignIn: true, back: "#" }) },
    "sign-in-again": { draw: (drawing) => drawClosed(drawing, { reason: "sign-in-again", logout: "#", back: "#" }) },
    unavailable: { draw: (drawing) => drawClosed(drawing, { reason: "unavailable", back: "#" }) },
    frozen: { draw: (drawing) => drawClosed(drawing, { reason: "frozen", back: "#" }) },
  },
  "link-undo": {
    plain: { draw: (drawing) => drawLinkUndo(drawing, { account: "m•••@example.com", isDeletionPending: false }) },
    endless: { draw: (drawing) => drawLinkUndo(drawing, { account: longEmail, isDeletionPending: true }), tenantName: oneWord },
  },
  answered: {
    plain: { draw: (drawing) => drawAnswered(drawing, { account: mira, returnLink: app }) },
    "no-return-link": { draw: (drawing) => drawAnswered(drawing, { account: mira, returnLink: undefined }) },
    "no-account": { draw: (drawing) => drawAnswered(drawing, { account: undefined, returnLink: { href: app.href } }) },
    long: { draw: (drawing) => drawAnswered(drawing, { account: longEmail, returnLink: { ...app, clientName: words } }), tenantName: long },
  },
  "confirm-code": {
    plain: {
      draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: undefined, returnLink: app }),
      clientName: app.clientName,
    },
    elsewhere: {
      draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: undefined, returnLink: app, isElsewhere: true }),
      clientName: app.clientName,
    },
    "factor-required": {
      draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: "factor-required", returnLink: app }),
    },
    used: { draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: "used", returnLink: app }) },
    refused: { draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: "refused", returnLink: app }) },
    blocked: { draw: (drawing) => drawConfirmCode(drawing, { account: longEmail, problem: "blocked", returnLink: undefined }) },
    endless: {
      draw: (drawing) => drawConfirmCode(drawing, { account: longEmail, problem: undefined, returnLink: undefined }),
      clientName: oneWord,
    },
  },
  "device-code": {
    plain: { draw: (drawing) => drawEnterCode({ ...drawing, problem: undefined }, { userCode: "" }) },
    filled: { draw: (drawing) => drawEnterCode({ ...drawing, problem: undefined }, { userCode: "WDJB-MJHT" }) },
    problem: { draw: (drawing) => drawEnterCode({ ...drawing, problem: userCodeProblem("wrong") }, { userCode: "" }) },
    throttled: { draw: (drawing) => drawEnterCode({ ...drawing, problem: userCodeProblem("too-many") }, { userCode: "" }), ...darkThemed },
  },
  "device-result": {
    plain: { draw: (drawing) => drawDeviceResult(drawing, "approved") },
    denied: { draw: (drawing) => drawDeviceResult(drawing, "denied") },
    lost: { draw: (drawing) => drawDeviceResult(drawing, "lost"), ...themed },
  },
  "confirm-logout": {
    plain: { draw: (drawing) => drawConfirmLogout(drawing, { account: mira, returnLink: app }) },
    "no-return-link": { draw: (drawing) => drawConfirmLogout(drawing, { account: mira, returnLink: undefined }) },
    endless: { draw: (drawing) => drawConfirmLogout(drawing, { account: oneWord, returnLink: app }), tenantName: oneWord },
  },
  "logged-out": {
    plain: { draw: (drawing) => drawLoggedOut(drawing, app) },
    endless: { draw: (drawing) => drawLoggedOut(drawing, undefined), tenantName: oneWord },
  },
  "link-verify": {
    plain: { draw: (drawing) => drawLinkVerify(drawing, { email: mira, bySession: false }) },
    session: { draw: (drawing) => drawLinkVerify(drawing, { email: mira, bySession: true }) },
    endless: { draw: (drawing) => drawLinkVerify(drawing, { email: longEmail, bySession: false }), tenantName: oneWord },
  },
  "link-password": {
    plain: { draw: (drawing) => drawLinkPassword(drawing, { account: mira, rules: newcomer.rules, problem: undefined }) },
    problem: { draw: (drawing) => drawLinkPassword(drawing, { account: longEmail, rules: [], problem: passwordMissing }) },
  },
  "link-request": {
    plain: { draw: (drawing) => drawLinkRequest(drawing, { kinds: ["email"], missing: false }) },
    problem: { draw: (drawing) => drawLinkRequest(drawing, { kinds: ["email", "username"], missing: true }) },
  },
  "link-result": {
    plain: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, outcome: "verified" }) },
    disowned: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, outcome: "disowned", resetPage: "/u/reset-password" }) },
    "password-changed": { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, outcome: "password-changed" }) },
    sent: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "sent" }) },
    replaced: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: longEmail, outcome: "replaced" }) },
    expired: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "expired" }) },
    used: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "used", resetPage: "/u/forgot-password" }) },
    void: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "void" }) },
    protected: {
      draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "protected", resetPage: "/u/forgot-password" }),
    },
    "address-remains": { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "address-remains" }) },
    "factor-remains": {
      draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "factor-remains", resetPage: "/u/forgot-password" }),
    },
    "undo-used": { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "undo-used" }) },
    "undo-expired": { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", outcome: "undo-expired" }) },
    enrolled: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, returnLink: undefined, outcome: "enrolled" }) },
    ended: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", returnLink: undefined, outcome: "ended" }) },
    "other-factor-added": {
      draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", returnLink: undefined, outcome: "other-factor-added" }),
    },
    unknown: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", returnLink: undefined, outcome: "unknown" }) },
  },
  error: {
    plain: { draw: (drawing) => drawError(drawing, refused) },
    "return-link": { draw: (drawing) => drawError(drawing, { ...refused, returnLink: app }) },
    "return-link-plain": { draw: (drawing) => drawError(drawing, { ...refused, returnLink: { href: app.href } }) },
    "return-link-long": { draw: (drawing) => drawError(drawing, { ...refused, returnLink: { ...app, clientName: oneWord } }) },
    expired: { draw: (drawing) => drawError(drawing, expired) },
    "expired-return-link": { draw: (drawing) => drawError(drawing, { ...expired, returnLink: app }) },
    ...Object.fromEntries(
      Object.entries(reasons).flatMap(([reason, error]) => [
        [reason, { draw: (drawing: Drawing) => drawError(drawing, error) }],
        [`${reason}-return-link`, { draw: (drawing: Drawing) => drawError(drawing, { ...error, returnLink: app }) }],
      ]),
    ),
  },
};

const brandedPost = { branding: { logoUrl: logo("wide"), primaryColor: "#0b6e4f", pageBackground: "#e8f3ec" } };

/** The page for `response_mode=form_post`. With JavaScript, it is visible only for a moment. */
export const formPosts: readonly Exhibit[] = exhibits("form-post", { plain: {}, branded: brandedPost }, (setting, locale) => {
  const look = lookOf(setting, locale);
  const html = renderFormPost({ ...look, action: "https://app.example.test/callback", fields: { code: "c" }, nonce });
  return { html, ...brandingSources(look.branding), script: false };
});

/** All pages, with their variants. */
export const gallery: readonly Exhibit[] = [
  ...Object.entries(screens).flatMap(([name, variants]) =>
    exhibits<{ readonly screen: object }>(name, variants, (exhibit, locale) => {
      const screen = screenSchema.parse({ name, ...exhibit.screen });
      return drawPage(frameOf(exhibit, locale), name, (drawing) => drawScreen(drawing, screen));
    }),
  ),
  ...Object.entries(others).flatMap(([name, variants]) =>
    exhibits(name, variants, (exhibit, locale) => drawPage(frameOf(exhibit, locale), name, exhibit.draw)),
  ),
];

/** Returns the exhibit with this name. */
export function exhibitNamed(name: string): Exhibit {
  const found = gallery.find((exhibit) => exhibit.name === name);
  if (found === undefined) throw new Error(`the gallery has no exhibit '${name}'`);
  return found;
}

function exhibits<Of>(page: string, variants: Variants<Of>, draw: (exhibit: Of & Setting, locale: string) => RenderedPage): Exhibit[] {
  return Object.entries(variants).map(([variant, exhibit]) => ({
    name: variant === "plain" ? page : `${page}-${variant}`,
    draw: (locale) => draw(exhibit, locale),
  }));
}

function lookOf({ branding = {}, tenantName = "Harbour" }: Setting, locale: string): PageAppearance {
  const t = translations.get(locale);
  if (t === undefined) throw new Error(`the gallery has no texts in '${locale}'`);
  return { branding, tenantName, t };
}

function frameOf(setting: Setting, locale: string): PageFrame {
  const { clientName = "Tideline" } = setting;
  return { ...lookOf(setting, locale), clientName, action: "/u/login", hidden: { state: "main.s", csrf: "c" }, nonce };
}
