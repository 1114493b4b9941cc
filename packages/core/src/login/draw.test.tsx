import { readdirSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createTranslations } from "../locales/translations.ts";
import { en } from "../locales/en.ts";
import { languages } from "../locales/languages.ts";
import type { MessageKey } from "../locales/messages.ts";
import { translator, type Translate } from "../locales/translate.ts";
import { drawPage, type RenderedPage } from "./draw.tsx";
import type { Drawing, PageParts, PageFrame } from "./components/drawing.ts";
import { withCustomTexts } from "./custom-texts.ts";
import { drawAddressCode } from "../hosted/account/addresses/code-page.tsx";
import { drawNewEmail, drawNewPhone } from "../hosted/account/addresses/new-address.tsx";
import { drawAddresses } from "../hosted/account/addresses/page.tsx";
import { drawApps, drawRemoveApp } from "../hosted/account/apps/page.tsx";
import { drawConfirmDeletion, drawDeletion, drawScheduled } from "../hosted/account/deletion/page.tsx";
import { drawDownload, drawExport } from "../hosted/account/export/page.tsx";
import { drawEvents } from "../hosted/account/events/page.tsx";
import { drawEditLanguage, drawLanguage } from "../hosted/account/language/page.tsx";
import { drawHome } from "../hosted/account/pages/home.tsx";
import { drawLink } from "../hosted/account/linked-accounts/link-page.tsx";
import { drawLinkedAccounts, drawUnlink } from "../hosted/account/linked-accounts/page.tsx";
import { drawLeave, drawOrganizations } from "../hosted/account/organizations/page.tsx";
import { drawChangePassword, drawPasswordState } from "../hosted/account/password/page.tsx";
import { drawNewUsername, drawUsername } from "../hosted/account/username/page.tsx";
import { drawEditProfile, drawProfile } from "../hosted/account/profile/page.tsx";
import { drawSessions } from "../hosted/account/sessions/page.tsx";
import { drawClosed } from "../hosted/account/pages/closed.tsx";
import { drawEnterCode } from "../hosted/device/pages/enter-code.tsx";
import { drawDeviceResult } from "../hosted/device/pages/result.tsx";
import { userCodeProblem } from "../hosted/device/problems.ts";
import { drawNewRecoveryCode } from "../hosted/account/security/pages/new-recovery-code.tsx";
import { drawRemove } from "../hosted/account/security/pages/remove.tsx";
import { drawRename } from "../hosted/account/security/pages/rename.tsx";
import { drawSecurity, type SecurityOverview } from "../hosted/account/security/pages/security.tsx";
import { problemNamed } from "../hosted/account/section-page.tsx";
import type { OtherPage } from "./page.ts";
import { drawLinkUndo } from "./pages/link-undo.tsx";
import { pageScript } from "./components/page-script.ts";
import { scriptValue } from "./components/script.ts";
import { drawAnswered } from "./pages/answered.tsx";
import { drawConfirmCode, type ConfirmCode } from "./pages/confirm-code.tsx";
import { drawConfirmLogout } from "./pages/confirm-logout.tsx";
import { drawError, type ShownError } from "./pages/error.tsx";
import { renderFormPost } from "./pages/form-post.tsx";
import { drawLinkRequest } from "./pages/link-request.tsx";
import { drawLinkResult, type LinkResult } from "./pages/link-result.tsx";
import { drawLoggedOut } from "./pages/logged-out.tsx";
import { drawLinkPassword, type LinkPassword } from "./pages/link-password.tsx";
import { drawLinkVerify } from "./pages/link-verify.tsx";
import { renderWebMessage } from "./pages/web-message.tsx";
import { screenSchema, type Screen, steps } from "./steps.ts";
import { isNightly } from "../../../../test/support/nightly.ts";
import { drawScreen } from "../../test/draw-screen.ts";
import { blockedParts } from "../../test/page-policy.ts";
import { htmlResponse } from "../http/html.ts";
import { pageTexts } from "../model/prompts/page-texts.ts";
import { passwordMissing } from "./steps/problems.ts";

/** Makes every optional member required, at any depth. */
type Whole<Value> = Value extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Whole<Exclude<Value[Key], undefined>> }
    : Value;

/** The data for a step's screen, without a problem. The tests add the problems. */
type Shown<Name extends Screen["name"]> = Omit<Extract<Screen, { readonly name: Name }>, "name" | "problem">;

const invitation = { organization: { name: "Fieldnotes", logoUrl: "https://pictures.example.test/f.png" }, inviter: "Jonas" };
const rule = { code: "lengthAtLeast", message: "At least %d characters", format: [8], verified: false, items: [] };

const provider = { connection: "google-oauth2", label: "Google", strategy: "google-oauth2" };
const lastUsed = { ...provider, lastUsed: true } as const;

const requestOptions = {
  challenge: "AAAA",
  timeout: 60_000,
  rpId: "login.example.test",
  allowCredentials: [],
  userVerification: "required",
} as const;
const creationOptions = {
  challenge: "AAAA",
  timeout: 1000,
  rp: { id: "login.example.test", name: "login.example.test" },
  user: { id: "AAAA", name: "mira@example.com", displayName: "Mira" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  authenticatorSelection: {
    authenticatorAttachment: "cross-platform",
    residentKey: "discouraged",
    requireResidentKey: false,
    userVerification: "preferred",
  },
  attestation: "none",
  hints: ["security-key"],
  excludeCredentials: [{ id: "AAAA", type: "public-key", transports: ["usb"] }],
  extensions: { credProps: true },
} as const;
const passkey = { publicKey: requestOptions, autofill: true, button: true, unknown: "AAAA" };

/** The right spelling of a phone number. */
const correction = "+61412345678";

/** One screen for every step, with all optional data. */
const samples: { readonly [Name in Screen["name"]]: Whole<Shown<Name>> } = {
  identifier: {
    identifier: "mira@example.com",
    kinds: ["email", "username", "phone"],
    again: true,
    providers: [lastUsed],
    signUp: true,
    passkey,
    invitation,
    correction,
  },
  password: { identifier: "mira@example.com", again: true, code: "email", reset: true, passkey, invitation, correction },
  "sign-up": {
    fields: { email: "required", username: "optional", phone_number: "optional" },
    typed: { email: "mira@example.com", username: "mira", phone_number: "+4512345678" },
    rules: [rule],
    providers: [lastUsed],
    passkey: true,
    correction,
  },
  "create-passkey": { identifier: "mira@example.com", publicKey: creationOptions },
  "add-passkey": { publicKey: creationOptions, conditional: creationOptions, isNewDevice: true },
  code: {
    purpose: "login",
    channel: "email",
    sentTo: "mira@example.com",
    again: true,
    resendIn: 30,
    usePassword: true,
    invitation,
  },
  factor: {
    factor: "phone",
    others: ["totp", "email", "recovery-code", "webauthn-roaming"],
    destinations: [{ id: "phone|dev_1", factor: "phone", sentTo: "•••12", channel: "voice" }],
    publicKey: {
      challenge: "AAAA",
      timeout: 1000,
      rpId: "login.example.test",
      allowCredentials: [{ id: "AAAA", type: "public-key", transports: ["usb"] }],
      userVerification: "preferred",
    },
    sentTo: "•••78",
    sent: true,
    resendIn: 30,
    validFor: 300,
    channel: "sms",
    otherChannel: "voice",
    lockedUntil: "2026-11-27T18:05:00.000Z",
    remember: true,
  },
  "add-factor": {
    options: ["totp", "phone", "webauthn-roaming"],
    frozen: true,
    factor: "totp",
    totp: { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/Harbour:mira?secret=JBSWY3DPEHPK3PXP&issuer=Harbour" },
    publicKey: creationOptions,
    rejectedPhone: "0170 1234578",
    sentTo: "+491701234578",
    sent: true,
    resendIn: 30,
    validFor: 300,
    channel: "sms",
    otherChannel: "voice",
    lockedUntil: "2026-11-27T18:05:00.000Z",
    correction,
  },
  "recovery-code": {
    code: "ABCDEFGHIJKLMNOPQRSTUVWX",
    isReplacement: true,
    accountSecurity: "https://login.example.test/u/account/security",
  },
  provider: { provider: lastUsed, linking: true },
  "link-account": { email: "mira@example.com", provider: lastUsed, byCode: true, ownAccount: true, failed: true },
  "reset-password": { identifier: "mira@example.com", kinds: ["email", "username", "phone"], correction },
  "new-password": { account: "mira@example.com", rules: [rule] },
  "create-account": { ...invitation, email: "mira@example.com", rules: [rule, { ...rule, code: "shouldContain", items: [rule] }] },
  "select-account": { accounts: [{ name: "Mira", email: "mira@example.com", picture: "https://pictures.example.test/m.png" }] },
  "select-organization": {
    account: "mira@example.com",
    organizations: [{ id: "org_1", uniqueName: "fieldnotes", ...invitation.organization }],
  },
  invitation: { ...invitation, email: "mira@example.com", account: "jonas@example.com", invited: false },
  consent: {
    client: {
      name: "Fieldnotes",
      logoUri: "https://pictures.example.test/f.png",
      unverified: true,
      documentHost: "fieldnotes.example.test",
    },
    account: "mira@example.com",
    audience: "Billing",
    actsForUser: true,
    destination: "app.example.test",
    destinationKind: "website",
    scopes: [
      { value: "read:bills", description: "Read bills" },
      { value: "openid", description: "" },
    ],
  },
  "confirm-device": {
    client: { name: "Fieldnotes", logoUri: "https://pictures.example.test/f.png" },
    account: "mira@example.com",
    userCode: "WDJB-MJHT",
    requestedFrom: "203.0.113.7",
    otherNetwork: true,
    audience: "Billing",
    scopes: [{ value: "read:bills", description: "Read bills" }],
  },
  "keep-account": { account: "mira@example.com", deletesAt: "2026-12-13T10:00:00.000Z" },
};

/** One screen for every step, without optional data. */
const bare: { readonly [Name in Screen["name"]]: Shown<Name> } = {
  identifier: { kinds: [] },
  password: { identifier: "mira" },
  "sign-up": { fields: { email: "required", username: "inactive", phone_number: "inactive" }, typed: {}, rules: [] },
  "create-passkey": {
    identifier: "mira@example.com",
    publicKey: { ...creationOptions, pubKeyCredParams: [], hints: [], excludeCredentials: [] },
  },
  "add-passkey": { publicKey: { ...creationOptions, pubKeyCredParams: [], hints: [], excludeCredentials: [] } },
  code: { purpose: "reset-password", channel: "sms", resendIn: 0 },
  factor: { factor: "totp", others: [] },
  "add-factor": { options: ["totp"] },
  "recovery-code": { code: "ABCDEFGHIJKLMNOPQRSTUVWX" },
  provider: { provider: { ...provider, strategy: "oidc", label: "Fieldnotes" } },
  "link-account": { email: "mira@example.com", provider },
  "reset-password": { kinds: [] },
  "new-password": { account: "mira@example.com", rules: [] },
  "create-account": { organization: { name: "Fieldnotes" }, inviter: "", email: "mira@example.com", rules: [] },
  "select-account": { accounts: [{ name: "Mira" }, { name: "Jonas" }] },
  "select-organization": { account: "mira@example.com", organizations: [] },
  invitation: { organization: { name: "Fieldnotes" }, inviter: "", email: "mira@example.com", account: "mira@example.com", invited: true },
  consent: { client: { name: "Fieldnotes" }, account: "mira@example.com", destination: "app.example.test", scopes: [] },
  "confirm-device": { client: { name: "Fieldnotes" }, account: "mira@example.com", userCode: "WDJB-MJHT", scopes: [] },
  "keep-account": { account: "mira@example.com", deletesAt: "2026-12-13T10:00:00.000Z" },
};

/** The consent page for clients that an administrator registered, and for clients of dynamic registration. */
const consents: readonly Screen[] = [
  { client: { name: "Fieldnotes", logoUri: samples.consent.client.logoUri } },
  { client: { name: "Fieldnotes", unverified: true }, destinationKind: "this-computer" },
  { client: { name: "Fieldnotes", unverified: true }, destinationKind: "this-device", scopes: [], audience: "" },
].map((more) => {
  const { destinationKind: _, ...consent } = samples.consent;
  return screenSchema.parse({ name: "consent", ...consent, ...more });
});

/**
 * The screens of all steps with all optional data, and with none. Each group holds the same data without a problem and
 * with each problem that the step can have.
 */
const screenGroups: readonly (readonly Screen[])[] = [
  ...steps.flatMap(({ name, problems }) =>
    [samples, bare].map((shown) => {
      const screen = { name, ...Object.entries(shown).find(([key]) => key === name)?.[1] };
      return [screen, ...Object.keys(problems).map((problem) => ({ ...screen, problem }))].map((each) => screenSchema.parse(each));
    }),
  ),
  ...consents.map((screen) => [screen]),
];

const screens: readonly Screen[] = screenGroups.flat();

/** The pages that do not belong to a step, with the given text in every text field. */
const others: { readonly [Name in OtherPage]: (text: string) => readonly ((drawing: Drawing) => PageParts)[] } = {
  "account-security": (text) => {
    const factor = { id: text, name: text, type: text, added: text, used: text, isSynced: true, rename: text, remove: text };
    const whole: Whole<SecurityOverview> = {
      account: text,
      factors: [factor, { ...factor, isSynced: false }],
      isFrozen: true,
      isReadOnly: false,
      add: text,
      recovery: { exists: true, create: text },
      browsers: { count: 2, lastUsed: text },
      accepted: { rpId: text, userId: text, allAcceptedCredentialIds: [text] },
      done: "added",
    };
    const listed = { id: text, name: text, added: text, rename: text, remove: text };
    const bareOverview: SecurityOverview = { account: text, factors: [], isFrozen: false, done: undefined };
    return [
      { problem: problemNamed("conflict"), overview: { ...whole, isFrozen: false } },
      { problem: undefined, overview: whole },
      { problem: undefined, overview: bareOverview },
      { problem: undefined, overview: { ...bareOverview, factors: [listed] } },
      { problem: undefined, overview: { ...whole, isReadOnly: true } },
      { problem: undefined, overview: { ...whole, isFrozen: false } },
    ].map(
      ({ problem, overview }) =>
        (drawing) =>
          drawSecurity({ ...drawing, problem }, overview),
    );
  },
  "account-home": (text) => {
    const home = { account: text, sections: [{ title: text, href: text }], logout: text };
    return [
      (drawing) => drawHome(drawing, { ...home, back: { href: text, clientName: text } }),
      (drawing) => drawHome(drawing, { ...home, back: undefined }),
    ];
  },
  "account-profile": (text) => {
    const fields = { name: text, given: text, family: text, nickname: text };
    const contacts = { account: text, email: text, username: text, phone: text };
    const shown = { ...fields, ...contacts, metadata: [[text, text]] as const };
    const metadata = [
      { id: text, label: text, type: "text", value: text, maximum: 200 },
      { id: text, label: text, type: "boolean", value: true },
      { id: text, label: text, type: "choice", value: text, choices: [{ value: text, label: text }] },
    ] as const;
    return [
      (drawing) => drawProfile(drawing, { ...shown, provider: text, edit: undefined, isSaved: false }),
      (drawing) => drawProfile(drawing, { ...shown, provider: undefined, edit: text, isSaved: true }),
      (drawing) => drawEditProfile({ ...drawing, problem: problemNamed("value-invalid") }, { names: undefined, metadata, back: text }),
      (drawing) => drawEditProfile({ ...drawing, problem: undefined }, { names: fields, metadata, back: text }),
    ];
  },
  "account-addresses": (text) => {
    const urls = { changeEmail: text, changePhone: text };
    const unset = { email: undefined, phone: undefined, changeEmail: undefined, changePhone: undefined };
    return [
      (drawing) => drawAddresses({ ...drawing, problem: problemNamed("outdated") }, { email: text, phone: text, ...urls, isSaved: true }),
      (drawing) => drawAddresses({ ...drawing, problem: undefined }, { ...unset, isSaved: false }),
      (drawing) => drawNewEmail({ ...drawing, problem: problemNamed("email-same") }, text),
      (drawing) => drawNewPhone({ ...drawing, problem: problemNamed("phone-same") }, text),
      ...(["email", "phone"] as const).map(
        (kind) => (drawing: Drawing) =>
          drawAddressCode({ ...drawing, problem: undefined }, { kind, address: text, resendIn: 30, back: text }),
      ),
    ];
  },
  "account-username": (text) => [
    (drawing) => drawUsername({ ...drawing, problem: problemNamed("outdated") }, { username: text, edit: text, isSaved: true }),
    (drawing) => drawUsername({ ...drawing, problem: undefined }, { username: undefined, edit: undefined, isSaved: false }),
    (drawing) => drawNewUsername({ ...drawing, problem: problemNamed("username-taken") }, { username: text, back: text }),
    (drawing) => drawNewUsername({ ...drawing, problem: undefined }, { username: "", back: text }),
  ],
  "account-password": (text) => {
    const shown = { changedAt: text, isChangeable: true, edit: text, isSaved: true };
    const form = { account: text, rules: [{ code: "lengthAtLeast", message: text, format: [text] }], back: text };
    return [
      (drawing) => drawPasswordState({ ...drawing, problem: problemNamed("outdated") }, shown),
      (drawing) =>
        drawPasswordState({ ...drawing, problem: undefined }, { ...shown, changedAt: undefined, isChangeable: false, edit: undefined }),
      (drawing) => drawChangePassword({ ...drawing, problem: problemNamed("password-too-weak") }, form),
      (drawing) => drawChangePassword({ ...drawing, problem: undefined }, form),
    ];
  },
  "account-linked": (text) => {
    const accounts = [{ id: text, provider: text, account: text, unlink: text }];
    return [
      (drawing) => drawLinkedAccounts({ ...drawing, problem: problemNamed("outdated") }, { accounts: [], link: text, done: "unlinked" }),
      (drawing) => drawLinkedAccounts({ ...drawing, problem: undefined }, { accounts, link: undefined, done: "linked" }),
      ...(["last", "has-factors", "allowed"] as const).map(
        (decision) => (drawing: Drawing) => drawUnlink(drawing, { provider: text, decision, back: text }),
      ),
      (drawing) =>
        drawLink({ ...drawing, problem: undefined }, { providers: [{ connection: text, label: text, strategy: "github" }], back: text }),
    ];
  },
  "account-organizations": (text) => {
    const organizations = [{ id: text, name: text, leave: text }];
    return [
      (drawing) => drawOrganizations({ ...drawing, problem: problemNamed("outdated") }, { organizations: [], hasLeft: true }),
      (drawing) => drawOrganizations({ ...drawing, problem: undefined }, { organizations, hasLeft: false }),
      (drawing) => drawLeave(drawing, { name: text, back: text }),
    ];
  },
  "account-sessions": (text) => {
    const session = { id: text, isCurrent: true, name: text, address: text, since: text, used: text };
    const sessions = [session, { ...session, id: `${text}2`, isCurrent: false, address: undefined }];
    return [
      (drawing) => drawSessions(drawing, { sessions: [session], isReadOnly: true, done: "ended" }),
      (drawing) => drawSessions(drawing, { sessions, isReadOnly: false, done: "others-ended" }),
    ];
  },
  "account-apps": (text) => {
    const apps = [{ id: text, name: text, scope: [text], since: text, remove: text }];
    return [
      (drawing) => drawApps({ ...drawing, problem: problemNamed("conflict") }, { apps: [], isRemoved: true }),
      (drawing) => drawApps({ ...drawing, problem: undefined }, { apps, isRemoved: false }),
      (drawing) => drawRemoveApp(drawing, { name: text, back: text }),
    ];
  },
  "account-export": (text) => [
    (drawing) => drawExport(drawing, { download: text }),
    (drawing) => drawExport(drawing, { download: undefined }),
    (drawing) => drawDownload(drawing, { back: text }),
  ],
  "account-deletion": (text) => [
    (drawing) => drawDeletion(drawing, { date: text, confirm: undefined }),
    (drawing) => drawDeletion(drawing, { date: text, confirm: text }),
    (drawing) => drawScheduled(drawing, { date: text, returnLink: { href: text, clientName: text } }),
    (drawing) => drawConfirmDeletion(drawing, { date: text, account: text, back: text }),
  ],
  "account-language": (text) => {
    const choices = { languages: [{ value: text, label: text }], zones: [text], back: text };
    return [
      (drawing) => drawLanguage(drawing, { language: text, zone: text, edit: text, isSaved: true }),
      (drawing) => drawLanguage(drawing, { language: undefined, zone: undefined, edit: undefined, isSaved: false }),
      (drawing) => drawEditLanguage({ ...drawing, problem: problemNamed("value-invalid") }, { locale: text, zoneinfo: text, ...choices }),
      (drawing) => drawEditLanguage({ ...drawing, problem: undefined }, { locale: "", zoneinfo: "", ...choices }),
    ];
  },
  "account-events": (text) => [
    (drawing) => drawEvents(drawing, [{ id: text, text, at: text, device: text, address: text }]),
    (drawing) => drawEvents(drawing, []),
  ],
  "account-rename": (text) =>
    [problemNamed("name-missing"), undefined].map(
      (problem) => (drawing) => drawRename({ ...drawing, problem }, { method: text, name: text, back: text }),
    ),
  "account-remove": (text) =>
    (["required", "last", "plain"] as const).map(
      (removal) => (drawing) => drawRemove({ ...drawing, problem: undefined }, { method: text, removal, back: text }),
    ),
  "account-recovery": (text) =>
    [true, false].map((replaces) => (drawing) => drawNewRecoveryCode({ ...drawing, problem: undefined }, { replaces, back: text })),
  "account-closed": (text) =>
    (["unavailable", "frozen", "sign-in-again", "no-session"] as const).flatMap((reason) => [
      (drawing: Drawing) => drawClosed(drawing, { reason, canSignIn: true }),
      (drawing: Drawing) => drawClosed(drawing, { reason, returnLink: { href: text, clientName: text }, logout: text, back: text }),
      (drawing: Drawing) => drawClosed(drawing, { reason }),
    ]),
  "link-undo": (text) => [(drawing) => drawLinkUndo(drawing, { account: text, isDeletionPending: true })],
  answered: (text) => {
    const answered: Whole<Parameters<typeof drawAnswered>[1]> = { account: text, returnLink: { href: text, clientName: text } };
    return [
      (drawing) => drawAnswered(drawing, answered),
      (drawing) => drawAnswered(drawing, { account: text, returnLink: { href: text } }),
      (drawing) => drawAnswered(drawing, { account: undefined, returnLink: undefined }),
    ];
  },
  "confirm-code": (text) => {
    const whole: Whole<ConfirmCode> = {
      account: text,
      problem: "used",
      returnLink: { href: text, clientName: text },
      isElsewhere: true,
    };
    return (["used", "refused", "blocked", undefined] as const).flatMap((problem) => [
      (drawing: Drawing) => drawConfirmCode(drawing, { ...whole, problem }),
      (drawing: Drawing) => drawConfirmCode({ ...drawing, frame: { ...drawing.frame, clientName: text } }, { ...whole, problem }),
    ]);
  },
  "confirm-logout": (text) => [
    (drawing) => drawConfirmLogout(drawing, { account: text, returnLink: { href: text, clientName: text } }),
    (drawing) => drawConfirmLogout(drawing, { account: text, returnLink: undefined }),
  ],
  "device-code": (text) =>
    [userCodeProblem("too-many"), userCodeProblem("wrong"), undefined].map(
      (problem) => (drawing) => drawEnterCode({ ...drawing, problem }, { userCode: text }),
    ),
  "device-result": () => (["approved", "denied", "lost"] as const).map((decision) => (drawing) => drawDeviceResult(drawing, decision)),
  error: (text) => {
    const details = { code: text, description: text, requestId: text };
    const whole: Whole<ShownError> = { ...details, reason: "no-login", explained: text, returnLink: { href: text, clientName: text } };
    const expired = { ...details, code: "login_expired" };
    return [details, expired, whole].map((error) => (drawing) => drawError(drawing, error));
  },
  "logged-out": (text) => [
    (drawing) => drawLoggedOut(drawing, { href: text, clientName: text }),
    (drawing) => drawLoggedOut(drawing, undefined),
  ],
  "link-result": (text) => {
    const whole: Whole<LinkResult> = { outcome: "verified", email: text, returnLink: { href: text, clientName: text }, resetPage: text };
    const outcomes = [
      ...(["verified", "disowned", "password-changed", "sent", "replaced", "expired", "used", "void", "unknown"] as const),
      ...(["protected", "factor-remains", "undo-used", "undo-expired", "enrolled", "ended"] as const),
    ];
    return [{}, { email: "", returnLink: undefined, resetPage: undefined }].flatMap((less) =>
      outcomes.map((outcome) => (drawing) => drawLinkResult(drawing, { ...whole, ...less, outcome })),
    );
  },
  "link-password": (text) => {
    const whole: LinkPassword = { account: text, rules: [rule], problem: passwordMissing };
    return [whole, { ...whole, rules: [], problem: undefined }].map((shown) => (drawing) => drawLinkPassword(drawing, shown));
  },
  "link-request": () => [true, false].map((missing) => (drawing) => drawLinkRequest(drawing, { kinds: ["email", "username"], missing })),
  "link-verify": (text) => [true, false].map((bySession) => (drawing) => drawLinkVerify(drawing, { email: text, bySession })),
};

const otherPages = Object.keys(others) as OtherPage[];

const catalogues = createTranslations();
const t = await translator(catalogues, "en", "formal");
const german = await translator(catalogues, "de", "formal");
const look = { tenantName: "Harbour", branding: {}, t };

function frame(more: Partial<PageFrame> = {}): PageFrame {
  return { ...look, action: "/u/login", hidden: { state: "main.abc", csrf: "token" }, nonce: "n0nce", ...more };
}

function drawn(screen: Screen, more: Partial<PageFrame> = {}): RenderedPage {
  return drawPage(frame(more), screen.name, (drawing) => drawScreen(drawing, screen));
}

/** All pages that have a frame. */
function pages(text: string, more: Partial<PageFrame> = {}): [name: string, page: RenderedPage][] {
  return [
    ...screens.map((screen): [string, RenderedPage] => [screen.name, drawn(screen, more)]),
    ...Object.entries(others).flatMap(([name, draws]) =>
      draws(text).map((draw): [string, RenderedPage] => [name, drawPage(frame(more), name, draw)]),
    ),
  ];
}

const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;</style></title>\u2028`;

/** The hostile texts. Pages ignore invalid image URLs, so one of the texts is a valid URL. */
const evils = [evil, `https://pictures.example.test/${evil}`];

/** Copies a value, and replaces every value in it that is neither an object nor an array. */
function replaceLeaves(value: unknown, change: (leaf: unknown, path: string) => unknown, path = ""): unknown {
  if (typeof value !== "object" || value === null) return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => replaceLeaves(item, change, `${path}.${index}`));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLeaves(item, change, `${path}.${key}`)]));
}

/**
 * Returns the paths of the members of a screen for which its schema accepts any text (`open`), and of the texts that it
 * limits to certain values (`closed`).
 */
function textsOf(screen: Screen, text: string): { readonly open: readonly string[]; readonly closed: readonly string[] } {
  const paths: [path: string, leaf: unknown][] = [];
  replaceLeaves(screen, (leaf, path) => void paths.push([path, leaf]));
  const isOpen = (path: string): boolean => screenSchema.safeParse(withText(screen, [path], text)).success;
  return {
    open: paths.map(([path]) => path).filter(isOpen),
    closed: paths.filter(([path, leaf]) => typeof leaf === "string" && !isOpen(path)).map(([path]) => path),
  };
}

function withText(screen: Screen, paths: readonly string[], text: string): unknown {
  return replaceLeaves(screen, (leaf, path) => (paths.includes(path) ? text : leaf));
}

/**
 * Returns the shortest list of pairs that contains each item of both lists, or all pairs in a nightly run. Another `turn`
 * pairs other items.
 */
function pairs<A, B>(first: readonly A[], second: readonly B[], turn: number): (readonly [A, B])[] {
  return first.flatMap((a, i) =>
    second.flatMap((b, position) => {
      const j = (position + turn) % second.length;
      return isNightly || i % second.length === j || j % first.length === i ? [[a, b] as const] : [];
    }),
  );
}

/**
 * Returns copies of a group's screens with hostile text in all text fields, and in each text field alone, each with a
 * translation. Both are needed, because one field can decide whether another one is drawn.
 */
function hostile(group: readonly Screen[], translations: readonly Translate[]): (readonly [Screen, Translate])[] {
  return evils.flatMap((text, turn) => {
    const open = group.slice(0, 1).flatMap((screen) => textsOf(screen, text).open);
    const all = group.map((screen) => withText(screen, open, text));
    const alone = pairs(group, open, turn).map(([screen, path]) => withText(screen, [path], text));
    return [all, alone].flatMap((copies) =>
      pairs(copies, translations, turn).map(([copy, translation]) => [screenSchema.parse(copy), translation] as const),
    );
  });
}

/** A page, and the scripts that it may contain. */
interface RenderedHtml {
  readonly html: string;
  readonly scripts: readonly string[];
}

/** Returns the HTML of a rendered page. The only script that the page may contain is the page script. */
function ofPage({ html, script }: RenderedPage): RenderedHtml {
  return { html, scripts: script ? [pageScript] : [] };
}

/** A frame with hostile text in every text field. */
const hostileFrame = {
  action: `/u/login?${evil}`,
  hidden: { state: evil, [evil]: evil },
  clientName: evil,
  tenantName: evil,
  branding: {
    name: evil,
    logoUrl: `https://pictures.example.test/${evil}`,
    darkLogoUrl: `https://pictures.example.test/${evil}`,
    primaryColor: evil,
    pageBackground: evil,
    backgroundImageUrl: `https://pictures.example.test/${evil}`,
    fontUrl: `https://pictures.example.test/?a')};@import url(//evil.example.test);${evil}#${evil}`,
  },
  links: { support: evil, terms: evil, privacy: evil },
  nonce: evil,
};

/**
 * Screens with texts that the other screens do not contain: for the kinds of identifiers, for the destination of a code,
 * and for the types of second factors.
 */
const furtherScreens: readonly Screen[] = [
  ...[["email"], ["username"], ["phone"], ["email", "username"], ["email", "phone"], ["username", "phone"]].flatMap((kinds) =>
    [{}, { problem: "identifier-missing" }].map((more) => screenSchema.parse({ name: "identifier", kinds, ...more })),
  ),
  screenSchema.parse({ name: "code", ...samples.code, purpose: "login", channel: "sms" }),
  ...["totp", "email", "recovery-code", "webauthn-roaming"].map((factor) => screenSchema.parse({ name: "factor", factor, others: [] })),
  screenSchema.parse({ name: "factor", factor: "phone", others: ["totp"], sentTo: "•••78" }),
  screenSchema.parse({ name: "factor", factor: "totp", others: ["phone"] }),
  screenSchema.parse({ name: "factor", factor: "email", others: [], sentTo: "m•••@example.com", sent: true }),
  screenSchema.parse({ name: "add-factor", options: ["totp", "phone"], factor: "phone" }),
  screenSchema.parse({ name: "add-factor", options: [], frozen: true }),
  screenSchema.parse({ name: "add-factor", options: ["totp", "phone", "webauthn-roaming"] }),
  screenSchema.parse({ name: "factor", factor: "webauthn-roaming", others: [], publicKey: samples.factor.publicKey }),
  screenSchema.parse({ name: "add-factor", options: [], factor: "webauthn-roaming", publicKey: samples["add-factor"].publicKey }),
];

/** The keys of all texts that a tenant can replace. */
const messageKeys = Object.keys(en).filter((key): key is MessageKey => key !== "direction");

/** Returns all pages by name, drawn in several languages with hostile text. */
function hostilePages(): { readonly [name: string]: () => Generator<RenderedHtml> } {
  const customTexts = new Map(messageKeys.map((key) => [key, `${evil} \${clientName}\${companyName} {client} \${"`]));
  const translations = [t, german, { ...t, lang: evil }, withCustomTexts(t, customTexts, { client: evil, tenant: evil })];
  const ofStep = function* (name: string): Generator<RenderedHtml> {
    for (const group of screenGroups.filter(([first]) => first?.name === name))
      for (const [screen, translation] of hostile(group, translations)) yield ofPage(drawn(screen, { ...hostileFrame, t: translation }));
  };
  const ofOther = function* (name: OtherPage): Generator<RenderedHtml> {
    // Only the page of the security settings formats a number, which requires a valid language.
    const known = name === "account-security" ? translations.filter(({ lang }) => lang !== evil) : translations;
    for (const draw of others[name](evil))
      for (const translation of known) yield ofPage(drawPage(frame({ ...hostileFrame, t: translation }), name, draw));
  };
  const post = { ...look, action: "/", fields: {}, nonce: "n0nce" };
  return {
    ...Object.fromEntries(steps.map(({ name }) => [name, () => ofStep(name)])),
    ...Object.fromEntries(otherPages.map((name) => [name, () => ofOther(name)])),
    *"form post"() {
      // The scripts on a page without hostile text.
      const scripts = scriptsOf(pieces(renderFormPost(post)));
      yield { html: renderFormPost({ ...post, ...hostileFrame, fields: { [evil]: evil }, t: { ...t, lang: evil } }), scripts };
    },
    *"web message"() {
      const message = scriptValue({ type: "authorization_response", response: { [evil]: evil } });
      const scripts = [`(window.opener || window.parent).postMessage(${message}, ${scriptValue(evil)});`];
      yield { html: renderWebMessage({ response: { [evil]: evil }, targetOrigin: evil, nonce: evil }), scripts };
    },
  };
}

/** Returns the contents of a page's scripts. */
function scriptsOf(found: readonly Piece[]): string[] {
  return found.flatMap(({ name, text }) => (name === "script" ? [text] : []));
}

test("this test file draws every page that does not belong to a step", () => {
  const files = readdirSync(new URL("pages", import.meta.url)).filter((file) => file.endsWith(".tsx"));
  const ofLogin = Object.keys(others).filter((name) => !/^(account|device)-/.test(name));
  expect(files.map((file) => file.replace(".tsx", "")).toSorted()).toEqual([...ofLogin, "form-post", "web-message"].toSorted());
});

test.each(screens.map((screen): [string, Screen] => [screen.name, screen]))(
  "the schema of the screen %s accepts hostile text in every free-text field",
  (_, screen) => {
    // The paths of the page's name and of the fields with a fixed list of values. Browsers read `publicKey` as data.
    const fixed =
      /^\.(?:name|problem|lockedUntil|kinds\.\d+|fields\.\w+|code|purpose|channel|otherChannel|destinationKind|factor|(?:conditional|(?:passkey\.)?publicKey)\..*|(?:others|options)\.\d+|destinations\.\d+\.(?:factor|channel))$/;
    expect(textsOf(screen, evil).closed.filter((path) => !fixed.test(path))).toEqual([]);
  },
);

test("every custom text that a tenant can set appears on one of its pages", () => {
  const custom = new Map(messageKeys.map((key) => [key, `[${key}]`]));
  const shown = (page: string): string => {
    const drawings = ["Tideline", ""].map((clientName) => frame({ clientName, t: withCustomTexts(t, custom, {}) }));
    const ofSteps = [...screens, ...furtherScreens].filter(({ name }) => name === page);
    const ofOthers = Object.entries(others).flatMap(([name, draws]) => (name === page ? draws("mira@example.com") : []));
    const draws = [...ofSteps.map((screen) => (drawing: Drawing) => drawScreen(drawing, screen)), ...ofOthers];
    return drawings.flatMap((each) => draws.map((draw) => drawPage(each, page, draw).html)).join("");
  };
  const pageNames = [...new Set(pageTexts.flatMap(({ pages }) => pages))];
  const shownBy = new Map(pageNames.map((page) => [page, shown(page)]));
  const lost = pageTexts.flatMap(({ prompt, screen, pages, texts }) =>
    Object.entries(texts)
      .filter(([, keys]) => !pages.some((page) => keys.some((key) => shownBy.get(page)?.includes(`[${key}]`))))
      .map(([text]) => `${prompt} ${screen} ${text}`),
  );
  expect(lost).toEqual([]);
});

/**
 * Matches a piece of a page: a script or style sheet, a tag, or text. Each piece must have the form that Postern
 * writes.
 */
const piece =
  /<(?<raw>script|style) nonce="(?<nonce>[^"<]*)">(?<text>[^<]*)<\/\k<raw>>|<\/?(?<name>[a-zA-Z][a-zA-Z0-9]*)(?<attributes>(?: [a-zA-Z-]+(?:="[^"<]*")?)*)\/?>|[^<]+/y;

interface Piece {
  readonly name: string;
  readonly attributes: readonly string[];
  /** The nonce of a script or style sheet. */
  readonly nonce: string;
  readonly text: string;
}

/**
 * Splits a page into pieces. Throws if it contains markup that Postern never writes, such as a tag from hostile text.
 */
function pieces(html: string): Piece[] {
  const start = "<!DOCTYPE html>";
  expect(html.slice(0, start.length)).toBe(start);
  const found = [];
  piece.lastIndex = start.length;
  while (piece.lastIndex < html.length) {
    const at = piece.lastIndex;
    const groups = piece.exec(html)?.groups;
    if (groups === undefined) throw new Error(`this test cannot parse the HTML of the page from here: ${html.slice(at, at + 200)}`);
    const attributes = [...(groups["attributes"] ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/ ([a-zA-Z-]+)/g)].map(([, name = ""]) => name);
    const { raw, name = "", nonce = "", text = "" } = groups;
    found.push({ name: raw ?? name, attributes, nonce, text });
  }
  return found;
}

describe("foreign text never becomes markup", () => {
  test.each(Object.entries(hostilePages()))("on the page %s", (_, drawAll) => {
    for (const { html, scripts } of drawAll()) {
      const found = pieces(html);
      const elements = new Set(found.map(({ name }) => name));
      expect(["iframe", "object", "embed", "base"].filter((name) => elements.has(name))).toEqual([]);
      const attributes = new Set(found.flatMap((each) => each.attributes));
      expect([...attributes].filter((name) => /^(?:on.*|style|srcdoc|formaction)$/i.test(name))).toEqual([]);
      expect(scriptsOf(found)).toEqual(scripts);
      const nonces = found.filter(({ name }) => name === "script" || name === "style").map(({ nonce }) => nonce);
      expect(new Set(nonces)).toEqual(new Set([evil.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")]));
      // The next page would learn about a view transition, and may belong to a client.
      expect(html).not.toContain("view-transition");
    }
  });

  test("an identifier with special characters is displayed unchanged", () => {
    const html = drawn({ name: "password", identifier: `a<b>&"'@example.com` }).html;
    expect(html).toContain(`<bdi id="account" class="clamped">a&lt;b>&amp;&quot;'@example.com</bdi>`);
    expect(html).toContain(`value="a&lt;b>&amp;&quot;'@example.com"`);
  });
});

describe("an email address on a page", () => {
  const long = "maximiliane.mustermann@abteilung.example.com";
  const broken = "maximiliane.<wbr/>mustermann@<wbr/>abteilung.<wbr/>example.<wbr/>com";
  const sentTo = (to: string) => drawn(screenSchema.parse({ name: "code", ...samples.code, sentTo: to })).html;

  test("can break after @ and after each dot if it is long", () => {
    expect(sentTo(long)).toContain(`<bdi class="name address">${broken}</bdi>`);
    expect(drawn({ name: "password", identifier: long }).html).toContain(`>${broken}</bdi>`);
    expect(drawn({ name: "select-account", accounts: [{ name: "Mira", email: long }] }).html).toContain(`>${broken}</bdi>`);
  });

  test("does not break if it is short, and neither does a long username", () => {
    expect(sentTo("mira@example.com")).toContain('<bdi class="name address">mira@example.com</bdi>');
    expect(drawn({ name: "password", identifier: "a-very-long-username.with.dots" }).html).toContain(
      ">a-very-long-username.with.dots</bdi>",
    );
  });

  test.each([...languages.keys()].flatMap((tag) => (["formal", "familiar"] as const).map((form) => [tag, form] as const)))(
    "is in a text with a single sentence (language %s, %s)",
    async (tag, form) => {
      const { codeLeadEmail, codeLeadSms } = await catalogues.texts(tag, form);
      for (const lead of [codeLeadEmail, codeLeadSms]) expect(lead.match(/[.。]/g), lead).toHaveLength(1);
    },
  );
});

test("the icon of a page is the tenant's icon, or otherwise the first letter of the tenant's name", () => {
  const icon = (more: Partial<PageFrame>): string =>
    /<link rel="icon" href="([^"]*)"/.exec(drawn(screenSchema.parse({ name: "identifier", ...bare.identifier }), more).html)?.[1] ?? "";
  expect(decodeURIComponent(icon({}))).toMatch(/^data:image\/svg\+xml,<svg .*>H<\/text><\/svg>$/);
  expect(decodeURIComponent(icon({ tenantName: "<b>" }))).toContain(">&lt;</text>");
  expect(icon({ tenantName: "\ud800" })).toContain("data:image/svg+xml,");
  expect(icon({ branding: { faviconUrl: "https://cdn.example.test/i.png" } })).toBe("https://cdn.example.test/i.png");
});

describe("the consent page of a client whose name is unverified", () => {
  const name = "Acme Bank";
  const consent = (client: object, more: object = {}) =>
    drawn(screenSchema.parse({ name: "consent", ...samples.consent, client: { name, unverified: true, ...client }, ...more })).html;
  const facts = (html: string) =>
    [...html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, detail = ""]) => [term, detail.replaceAll(/<[^>]*>/g, "")]);

  test("names the host of the metadata document, and the client's own name only as what it calls itself", () => {
    const html = consent({ documentHost: "agents.example" }, { destination: "login.example", destinationKind: "website" });
    expect(html).toContain('<h1>Allow <bdi class="destination">agents.example</bdi> to use your account?</h1>');
    expect(facts(html)).toEqual([
      ["Address of the app", "agents.example"],
      ["The app calls itself", name],
      ["You’ll return to", "login.example"],
    ]);
    expect(html).toContain("Nobody has checked the app’s name.");
    expect(html.split(name)).toHaveLength(2);
    expect(html).not.toContain("<img");
  });

  test.each([
    ["website", "login.example", "login.example"],
    ["this-computer", "127.0.0.1:33418", "An app on this computer 127.0.0.1:33418"],
    ["this-device", "acme-bank.com", "An app on this device acme-bank.com:"],
  ])("names a %s that receives the response, if the client has no metadata document", (destinationKind, destination, shown) => {
    const html = consent({}, { destination, destinationKind });
    expect(html).toContain("<h1>Allow this app to use your account?</h1>");
    expect(facts(html)).toEqual([
      ["The app calls itself", name],
      ["You’ll return to", shown],
    ]);
    expect(html).toContain("The app asks for permission to use ");
    expect(html.split(name)).toHaveLength(2);
  });

  test("never cuts a host, and shows two lines of a long name", () => {
    const host = `${"a".repeat(60)}.example`;
    const html = consent({ name: "b".repeat(255), documentHost: host }, { destination: host });
    expect(html.split(`<bdi class="destination">${host.replace(".", ".<wbr/>")}</bdi>`)).toHaveLength(4);
    expect(html).toContain(`<bdi class="clamped" title="${"b".repeat(255)}">`);
  });
});

test("the links on the code page of a password reset have the same texts as on the previous page", () => {
  const html = drawn({ name: "code", ...bare.code }).html;
  expect([...html.matchAll(/<button[^>]*small[^>]*>([^<]*)/g)].map(([, words]) => words)).toEqual([
    "Send another code",
    "Use another account",
    "Back to sign in",
  ]);
});

describe("every page", () => {
  const plain = pages("x");

  test.each(plain)("%s satisfies its Content-Security-Policy", (_, { html, images, fonts, script }) => {
    const response = htmlResponse(html, { nonce: "n0nce", images, fonts, script });
    expect(blockedParts(html, response.headers.get("content-security-policy") ?? "", "https://id.example.test/u/login")).toEqual([]);
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en" dir="ltr">/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
    expect(html).toContain('<meta name="robots" content="noindex, nofollow"/>');
    expect(html).toContain('<link rel="icon" href="data:image/svg+xml,%3Csvg');
    expect(html.match(/<style nonce="n0nce">/g)).toHaveLength(1);
    expect(html).not.toMatch(/<iframe|<link rel="stylesheet"|@import|url\(|javascript:/i);
    expect(html.match(/<script.*?<\/script>/gs) ?? []).toEqual(script ? [`<script nonce="n0nce">${pageScript}</script>`] : []);
    if (/<form|<img/.test(html)) expect(script).toBe(true);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    for (const form of html.match(/<form.*?<\/form>/gs) ?? []) {
      expect(form, "the browser would show messages in its language instead of the page's").toMatch(/^<form [^>]*novalidate/);
      expect(form).toContain('<form method="post" action="/u/login"');
      expect(form).toContain('<input type="hidden" name="state" value="main.abc"/><input type="hidden" name="csrf" value="token"/>');
    }
  });

  test("has no script if it contains neither a form nor an image", () => {
    const loggedOut = (more: Partial<PageFrame>): RenderedPage =>
      drawPage(frame({ action: "", ...more }), "logged-out", (drawing) => drawLoggedOut(drawing, undefined));
    expect(loggedOut({}).html).not.toContain("<script");
    expect(loggedOut({}).script).toBe(false);
    expect(loggedOut({ branding: { logoUrl: "https://pictures.example.test/l.png" } }).script).toBe(true);
  });

  test("has a button for each of its actions", () => {
    const done: { readonly [Name in Screen["name"] | OtherPage]: readonly string[] } = {
      identifier: ["continue"],
      password: ["change-identifier", "sign-in"],
      "sign-up": ["make-account", "sign-in-instead"],
      "create-passkey": ["create-passkey", "choose-password"],
      "add-passkey": ["add-passkey", "decline-passkey"],
      code: ["enter-code", "resend-code", "change-address", "sign-in-instead"],
      factor: ["enter-factor-code", "other-account"],
      "add-factor": ["choose-new-factor", "other-account"],
      "recovery-code": ["recovery-code-stored"],
      provider: ["continue-with"],
      "link-account": ["link-account", "another-way"],
      "reset-password": ["send-reset", "sign-in-instead"],
      "new-password": ["sign-in-instead", "set-password"],
      consent: ["other-account", "accept", "deny"],
      "confirm-device": ["other-account", "connect-device", "deny"],
      "keep-account": ["other-account", "keep-account", "delete-account"],
      "select-account": ["continue-as", "continue-as", "other-account"],
      "select-organization": ["other-account", "select-organization"],
      invitation: ["accept-invitation", "other-account", "not-now"],
      "create-account": ["have-account", "create-account"],
      "account-security": ["forget-browsers"],
      "account-rename": ["rename-factor"],
      "account-remove": ["remove-factor"],
      "account-recovery": ["create-recovery-code"],
      "account-closed": [],
      "account-home": [],
      "account-profile": ["save-profile"],
      "account-sessions": ["end-session", "end-other-sessions"],
      "account-apps": ["remove-app"],
      "account-export": ["download"],
      "account-deletion": ["delete-account"],
      "account-addresses": ["confirm-address", "send-another-code"],
      "account-username": ["save-username"],
      "account-password": ["set-password"],
      "account-linked": ["continue-with"],
      "account-organizations": ["leave-organization"],
      "account-language": ["save-language"],
      "account-events": [],
      "link-undo": ["protect"],
      "confirm-code": ["sign-in"],
      "confirm-logout": ["logout"],
      "device-code": ["continue"],
      "device-result": [],
      "logged-out": [],
      answered: [],
      error: [],
      "link-result": [],
      "link-password": ["set-password"],
      "link-request": ["send-link"],
      "link-verify": ["yes", "no"],
    };
    // Of the pages with the same name, the last one without a problem, which has the least content.
    const shown = Object.fromEntries(plain.filter(([, { html }]) => !html.includes('id="problem"')));
    const actions = Object.entries(shown).map(([name, { html }]): [string, string[]] => {
      const named = html.matchAll(/<(?:button type="submit"|input type="hidden") name="action" value="([a-z-]+)"/g);
      return [name, [...named].map(([, value = ""]) => value)];
    });
    expect(Object.fromEntries(actions)).toEqual(done);
  });

  test("is in the language of its frame, and marks error details as English", () => {
    const error = { code: "invalid_request", description: "no", requestId: "req_1" };
    const { html } = drawPage(frame({ t: german }), "error", (drawing) => drawError(drawing, error));
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain("<title>Fortfahren nicht möglich · Harbour</title>");
    expect(html).toContain('<dd id="error-description" lang="en" dir="auto">no</dd>');
    expect(html).toContain('<code id="error-code" dir="ltr">invalid_request</code>');
    expect(html).toContain('<code id="request-id" dir="ltr">req_1</code>');
  });
});

describe("fields", () => {
  const inputOf = (screen: Screen, id: string): string => new RegExp(`<input id="${id}"[^>]*>`).exec(drawn(screen).html)?.[0] ?? "";

  test("keep the direction of the user's text on pages with the opposite direction", () => {
    const inputs = screens.flatMap((screen) => [...drawn(screen).html.matchAll(/<input [^>]*class="input[^>]*>/g)].map(([input]) => input));
    expect(inputs.length).toBeGreaterThan(20);
    // Password fields hide their content, and browsers always write phone numbers from left to right, so these fields
    // need no direction.
    expect(inputs.filter((input) => !/ dir="| type="(password|tel)"/.test(input))).toEqual([]);
  });

  test("have the attributes that browsers, password managers and on-screen keyboards need", () => {
    const identifier = inputOf({ name: "identifier", kinds: ["email", "username"], identifier: "mira" }, "identifier");
    for (const attribute of [
      'name="identifier"',
      'autocomplete="username"',
      'autocapitalize="none"',
      'spellcheck="false"',
      'inputmode="email"',
      'value="mira"',
      "autofocus",
    ]) {
      expect(identifier).toContain(attribute);
    }
    expect(inputOf({ name: "identifier", kinds: ["phone"] }, "identifier")).toContain('type="tel" inputmode="tel"');
    expect(inputOf({ name: "identifier", kinds: ["username"] }, "identifier")).toContain('inputmode="text"');
    const password = inputOf({ name: "password", identifier: "mira" }, "password");
    expect(password).toContain('name="password"');
    expect(password).toContain('type="password" autocomplete="current-password"');
    expect(password).not.toContain("value=");
    expect(drawn({ name: "password", identifier: "mira" }).html).toMatch(/name="identifier" value="mira" autocomplete="username" readonly/);
  });

  test("reference the problem that is about them, and the page title starts with the word Problem", () => {
    const screen = { name: "password", identifier: "mira", problem: "wrong-credentials" } as const;
    expect(inputOf(screen, "password")).toContain('aria-describedby="problem" aria-invalid="true"');
    const html = drawn(screen).html;
    expect(html).toContain('id="problem" role="alert"');
    expect(html).toContain("<title>Problem: Enter your password · Harbour</title>");
    const throttled = inputOf({ ...screen, problem: "too-many-attempts" }, "password");
    expect(throttled).toContain("aria-describedby");
    expect(throttled).not.toContain("aria-invalid");
    expect(inputOf({ name: "password", identifier: "mira" }, "password")).not.toContain("aria-");
    expect(inputOf({ ...screen, problem: "identifier-missing" }, "password")).not.toContain("aria-");
  });

  test.each([
    ["wrong-credentials", "alert"],
    ["too-many-attempts", "clock"],
    ["blocked", "barred"],
  ] as const)("the problem %s has the icon %s", (problem, icon) => {
    const { html } = drawn({ name: "password", identifier: "mira", problem });
    expect(/id="problem" role="alert"><svg class="icon icon-([a-z]+)"/.exec(html)?.[1]).toBe(icon);
  });

  test.each([...languages.keys()])(
    "the text for a failed sign-in mentions a password reset only if the page offers one (language %s)",
    async (tag) => {
      for (const form of ["formal", "familiar"] as const) {
        const translation = await translator(catalogues, tag, form);
        for (const [problem, plain, orReset] of [
          ["wrong-credentials", "wrongCredentials", "wrongCredentialsOrReset"],
          ["too-many-attempts", "tooManyAttempts", "tooManyAttemptsOrReset"],
        ] as const) {
          const said = (offered: { readonly reset?: true }) => {
            const { html } = drawn({ name: "password", identifier: "mira", problem, ...offered }, { t: translation });
            expect(html.includes('value="forgot-password"')).toBe(offered.reset === true);
            return /id="problem"[^]*?<p>(.*?)<\/p>/.exec(html)?.[1];
          };
          expect(said({})).toBe(translation.text(plain));
          expect(said({ reset: true })).toBe(translation.text(orReset));
          expect(translation.text(orReset)).not.toBe(translation.text(plain));
        }
      }
    },
  );

  /**
   * Returns the name of the text that the page shows instead of the text in the problem. Returns undefined if there is
   * no replacement.
   */
  const replacementOf = (screen: Screen): "missingEmail" | "wrongCredentialsOrReset" | "tooManyAttemptsOrReset" | undefined => {
    if (screen.problem === "identifier-missing" && "kinds" in screen && screen.kinds.length === 0) return "missingEmail";
    if (screen.name !== "password" || screen.reset !== true) return undefined;
    if (screen.problem === "wrong-credentials") return "wrongCredentialsOrReset";
    return screen.problem === "too-many-attempts" ? "tooManyAttemptsOrReset" : undefined;
  };

  test.each(steps.flatMap(({ name, problems }) => Object.entries(problems).map(([key, problem]) => [name, key, problem] as const)))(
    "the page %s shows the text for the problem %s",
    (name, key, { text, field }) => {
      // A locked factor says until when, whatever the last problem was.
      const unlocked = ({ lockedUntil: _, ...screen }: Screen & { readonly lockedUntil?: unknown }): Screen => screenSchema.parse(screen);
      for (const whole of screens.filter((each) => each.name === name && each.problem === key)) {
        const screen = unlocked(whole);
        const { html } = drawn(screen);
        const number = ("correction" in screen && screen.correction) || "";
        const said = t.text(replacementOf(screen) ?? text, { tenant: "Harbour", number });
        expect(/<div class="problem" id="problem".*?<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "")).toBe(said);
        expect(html).toContain("<title>Problem: ");
        const input = inputOf(screen, field ?? "");
        if (input !== "") expect(input).toContain('aria-describedby="problem');
      }
    },
  );

  test("the Enter key in the password field submits the sign-in", () => {
    const form = drawn({ name: "password", identifier: "mira" })
      .html.match(/<form.*?<\/form>/gs)
      ?.find((part) => part.includes('id="password"'));
    expect(form?.match(/<button[^>]*value="([a-z-]+)"/)?.[1]).toBe("sign-in");
  });
});

describe("pictures", () => {
  const withLogo = (logoUrl: string): RenderedPage => drawn({ name: "identifier", kinds: ["email"] }, { branding: { logoUrl } });

  test.each([
    "javascript:alert(1)",
    "data:image/svg+xml,<svg/>",
    "//pictures.example.test/a.png",
    "/a.png",
    "ftp://a.example.test/a.png",
    "https://a;script-src/a.png",
    "https://a,b/a.png",
    "https://'unsafe-inline'/a.png",
    "https://*/a.png",
    "https://name:word@a.example.test/a.png",
    "https://",
    "",
  ])("are not loaded from the URL %j", (url) => {
    expect(withLogo(url).images).toEqual([]);
    expect(withLogo(url).html).not.toContain("<img");
    const favicon = drawPage(frame({ branding: { faviconUrl: url } }), "logged-out", (drawing) => drawLoggedOut(drawing, undefined));
    expect(favicon.images).toEqual([]);
    expect(favicon.html).toContain('<link rel="icon" href="data:image/svg+xml,');
  });

  test("have their origins listed without duplicates", () => {
    expect(withLogo("https://a.example.test:8443/x/y.png?z").images).toEqual(["https://a.example.test:8443"]);
    expect(withLogo("http://[::1]:3000/logo.png").images).toEqual(["http://[::1]:3000"]);
    expect(withLogo("https://münchen.example.test/logo.png").images).toEqual(["https://xn--mnchen-3ya.example.test"]);
    const consent = {
      name: "consent",
      client: { name: "c", logoUri: "https://b.example.test/c" },
      account: "a",
      destination: "a",
      scopes: [],
    } satisfies Screen;
    const branding = { logoUrl: "https://b.example.test/t" };
    expect(drawn(consent, { branding }).images).toEqual(["https://b.example.test"]);
    const accounts = [
      { name: "a", picture: "https://p.example.test/1" },
      { name: "b" },
      { name: "c", picture: "https://q.example.test/2" },
    ];
    expect(drawn({ name: "select-account", accounts }).images).toEqual(["https://p.example.test", "https://q.example.test"]);
  });
});

describe("response pages", () => {
  test("the form_post page submits every field by script, or by a button without JavaScript", () => {
    const html = renderFormPost({
      ...look,
      action: "https://app.example.test/cb?a=1&b=2",
      fields: { code: 'c"<', submit: "s" },
      nonce: "n0nce",
      t: german,
    });
    expect(html).toContain('<form id="form-post" method="post" action="https://app.example.test/cb?a=1&amp;b=2">');
    expect(html).toContain('<input type="hidden" name="code" value="c&quot;&lt;"/><input type="hidden" name="submit" value="s"/>');
    expect(html).toMatch(/<button type="submit" [^>]*>Weiter<\/button>/);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script nonce="n0nce">']);
  });

  test("the web_message page posts the response to the target origin only", () => {
    const response = { code: "</script><!--\u2028", state: "s", expires_in: 5 };
    const html = renderWebMessage({ response, targetOrigin: "https://app.example.test", nonce: "n0nce" });
    const script = /<script nonce="n0nce">(.*)<\/script>/s.exec(html)?.[1] ?? "";
    expect(script).not.toMatch(/[<>\u2028]/);
    const sent: unknown[] = [];
    const run = (window: object): unknown => runInNewContext(script, { window });
    run({ opener: null, parent: { postMessage: (...message: unknown[]) => sent.push(message) } });
    run({ opener: { postMessage: (...message: unknown[]) => sent.push(message) }, parent: {} });
    const message = [{ type: "authorization_response", response }, "https://app.example.test"];
    expect(sent).toEqual([message, message]);
  });
});
