import { passwordRules, type PasswordPolicyOptions } from "../../packages/core/src/identity/passwords/policy.ts";
import type { PageReason } from "../../packages/core/src/errors.ts";
import { createTranslations } from "../../packages/core/src/locales/translations.ts";
import { languages } from "../../packages/core/src/locales/languages.ts";
import { translator, type Translate } from "../../packages/core/src/locales/translate.ts";
import { drawPage, type DrawnPage } from "../../packages/core/src/login/draw.tsx";
import type { Drawing, Drawn, PageFrame, PageLook } from "../../packages/core/src/login/components/drawing.ts";
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
import { shownRules } from "../../packages/core/src/login/new-password.ts";
import { drawLinkPassword } from "../../packages/core/src/login/pages/link-password.tsx";
import { drawLinkVerify } from "../../packages/core/src/login/pages/link-verify.tsx";
import { Screen } from "../../packages/core/src/login/steps.ts";
import { drawScreen } from "../../packages/core/test/draw-screen.ts";
import { passwordMissing } from "../../packages/core/src/login/steps/problems.ts";
import { pictures } from "./pictures.ts";

/** A page as it is looked at. */
export interface Exhibit {
  readonly name: string;
  draw(locale: string): DrawnPage;
}

/** The nonce of every exhibit's policy. */
export const nonce = "bm9uY2U";

const catalogues = createTranslations();
/** Every language that the pages speak. */
const spoken: ReadonlyMap<string, Translate> = new Map(
  await Promise.all(
    [...languages.keys()].map(async (tag): Promise<[string, Translate]> => [tag, await translator(catalogues, tag, "formal")]),
  ),
);

/** Who shows a page. */
interface Setting {
  readonly branding?: PageBranding;
  readonly tenantName?: string;
  readonly clientName?: string;
}

/** A page as it mostly is, and what bends it. */
interface Variants<Of> {
  readonly plain: Of & Setting;
  readonly [variant: string]: Of & Setting;
}

const long = "Vereinigte Südschwedische Gebäudeversicherungsaktiengesellschaft & Söhne";
const longEmail = "maximiliane.von-und-zu-hohenstaufen+newsletter.2026@abteilung.verwaltung.vereinigte-versicherungen.example.com";
/** 200 characters, in words and in one. */
const words = "Society of the Friends of the Harbour, its Lighthouses, Ferries and Warehouses, and of All Who Sail There "
  .repeat(2)
  .slice(0, 200);
const oneWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(4).slice(0, 200);

const logo = (name: string): string => `${pictures}/${name}.svg`;
/** A tenant's theme: one with a light ground and one with a dark one. */
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
/** As much as a connection can demand. */
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
const newcomer = { ...invitation, email: mira, rules: shownRules(passwordRules("", excellent)) };
const weak = { ...newcomer, rules: passwordRules("fffjord", everything) };
const letDown = { ...newcomer, rules: passwordRules("Harbour+2026", excellent) };
const signingUp = {
  fields: { email: "required", username: "inactive", phone_number: "inactive" },
  typed: {},
  rules: newcomer.rules,
} as const;
const awaited = { purpose: "login", channel: "email", sentTo: mira, resendIn: 30 } as const;
const scopes = ["openid", "profile", "email", "offline_access"].map((value) => ({ value }));
const asking = {
  client: { name: "Fieldnotes", logoUri: logo("fieldnotes") },
  account: mira,
  destination: "app.fieldnotes.example",
  scopes,
};

/** Logos that are hard to show. */
const hardLogos = ["wide", "tall", "white", "dark", "broken"];
const towns = ["Aalborg", "Bergen", "Cádiz", "Dieppe", "Ålesund", "Gdańsk", "Kotka", "Łeba", "Πειραιάς", "Одеса"];
const sixty = Array.from({ length: 60 }, (_, index) => ({ id: `org_${index}`, name: `${towns[index % 10] ?? ""} Harbour ${index + 1}` }));

/** What a step can show. */
type Shown<Name extends Screen["name"]> = { readonly shows: Omit<Extract<Screen, { readonly name: Name }>, "name"> };

const providers = [
  { connection: "google-oauth2", label: "Google", strategy: "google-oauth2" },
  { connection: "github", label: "GitHub", strategy: "github", lastUsed: true as const },
  { connection: "apple", label: "Apple", strategy: "apple" },
  { connection: "fieldnotes", label: "Fieldnotes", strategy: "oidc" },
];

/** Every step. */
const screens: { readonly [Name in Screen["name"]]: Variants<Shown<Name>> } = {
  identifier: {
    plain: { shows: { kinds: ["email", "username"] } },
    "sign-up": { shows: { kinds: ["email"], signUp: true } },
    providers: { shows: { kinds: ["email"], signUp: true, providers } },
    "providers-alone": { shows: { kinds: [], providers, problem: "provider-failed" } },
    problem: { shows: { kinds: ["email"], problem: "identifier-missing" } },
    long: { shows: { kinds: ["email", "phone", "username"], identifier: longEmail }, tenantName: long, clientName: long },
    endless: { shows: { kinds: ["phone"], identifier: oneWord }, tenantName: words, clientName: oneWord },
    invitation: { shows: { kinds: ["email"], identifier: mira, invitation } },
    "invitation-long": { shows: { kinds: ["email"], invitation: longInvitation, problem: "identifier-missing" }, tenantName: long },
    "invitation-endless": { shows: { kinds: ["email"], invitation: endlessInvitation }, tenantName: oneWord },
    branded: {
      shows: { kinds: ["email"], identifier: mira },
      branding: { logoUrl: logo("wide"), primaryColor: "#0b6e4f", pageBackground: "#e8f3ec" },
    },
    themed: { shows: { kinds: ["email"], identifier: mira, signUp: true }, ...themed },
    "themed-dark": { shows: { kinds: ["email"], identifier: mira, signUp: true, problem: "identifier-missing" }, ...darkThemed },
    ...Object.fromEntries(
      hardLogos.map((name) => [`logo-${name}`, { shows: { kinds: ["email"] as const }, branding: { logoUrl: logo(name) } }]),
    ),
  },
  password: {
    plain: { shows: { identifier: mira } },
    others: { shows: { identifier: mira, code: "email", reset: true } },
    themed: { shows: { identifier: mira, problem: "wrong-credentials" }, ...themed },
    "themed-dark": { shows: { identifier: mira, code: "email", reset: true }, ...darkThemed },
    problem: { shows: { identifier: mira, problem: "wrong-credentials" } },
    missing: { shows: { identifier: mira, problem: "password-missing" } },
    throttled: { shows: { identifier: longEmail, problem: "too-many-attempts" } },
    blocked: { shows: { identifier: mira, problem: "blocked" }, tenantName: long },
    invitation: { shows: { identifier: mira, invitation } },
    "invitation-long": { shows: { identifier: longEmail, invitation: longInvitation, problem: "wrong-credentials" }, tenantName: long },
    endless: { shows: { identifier: oneWord }, tenantName: words },
    organization: {
      shows: { identifier: mira },
      branding: {
        name: "Nordlicht Logistik",
        logoUrl: logo("wide"),
        faviconUrl: logo("fieldnotes"),
        primaryColor: "#b8410e",
        pageBackground: { start: "#ffd7b0", end: "#9db8e8", angle: 35 },
      },
    },
    pale: { shows: { identifier: mira, problem: "wrong-credentials" }, branding: { primaryColor: "#ffe14d", pageBackground: "#10243e" } },
  },
  "sign-up": {
    plain: { shows: signingUp },
    providers: { shows: { ...signingUp, providers } },
    problem: { shows: { ...signingUp, typed: { email: "mira@" }, problem: "email-malformed" } },
    weak: { shows: { ...signingUp, typed: { email: mira }, rules: weak.rules, problem: "password-too-weak" } },
    all: {
      shows: {
        ...signingUp,
        fields: { email: "required", username: "required", phone_number: "optional" },
        typed: { email: longEmail, username: oneWord, phone_number: "+4512345678" },
        problem: "username-taken",
      },
      tenantName: long,
      clientName: long,
    },
  },
  code: {
    plain: { shows: { ...awaited, usePassword: true } },
    problem: { shows: { ...awaited, problem: "wrong-code", resendIn: 0 } },
    again: { shows: { ...awaited, again: true } },
    sms: { shows: { ...awaited, channel: "sms", sentTo: "+4512345678", usePassword: true, problem: "too-many-codes" } },
    "sign-up": { shows: { ...awaited, purpose: "sign-up" } },
    link: { shows: { ...awaited, purpose: "link-account" } },
    reset: { shows: { purpose: "reset-password", channel: "email", resendIn: 30 } },
    long: { shows: { ...awaited, purpose: "reset-password", sentTo: longEmail, invitation: longInvitation }, tenantName: long },
  },
  provider: {
    plain: { shows: { provider: { connection: "microsoft", label: "Microsoft", strategy: "waad" } } },
    problem: { shows: { provider: { connection: "facebook", label: "Facebook", strategy: "facebook" }, problem: "provider-declined" } },
    long: { shows: { provider: { connection: "x", label: long, strategy: "oidc" }, problem: "provider-failed" }, tenantName: long },
  },
  "link-account": {
    plain: { shows: { email: mira, provider: { connection: "linkedin", label: "LinkedIn", strategy: "linkedin" } } },
    "by-code": { shows: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, byCode: true } },
    "own-account": { shows: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, ownAccount: true } },
    failed: {
      shows: { email: mira, provider: { connection: "github", label: "GitHub", strategy: "github" }, ownAccount: true, failed: true },
    },
    long: {
      shows: { email: longEmail, provider: { connection: "x", label: long, strategy: "oidc" }, byCode: true, problem: "too-many-codes" },
      tenantName: long,
    },
  },
  "reset-password": {
    plain: { shows: { kinds: ["email"], identifier: mira } },
    problem: { shows: { kinds: ["email", "username"], problem: "identifier-missing" } },
    long: { shows: { kinds: ["email", "username", "phone"], identifier: longEmail, problem: "too-many-codes" }, tenantName: long },
  },
  "new-password": {
    plain: { shows: { account: mira, rules: newcomer.rules } },
    problem: { shows: { account: longEmail, rules: weak.rules, problem: "password-too-weak" }, tenantName: long },
  },
  "create-account": {
    plain: { shows: newcomer },
    problem: { shows: { ...weak, ...longInvitation, email: longEmail, problem: "password-too-weak" }, tenantName: long },
    missing: { shows: { ...newcomer, problem: "password-missing" } },
    common: { shows: { ...letDown, problem: "password-too-common" } },
    personal: { shows: { ...letDown, problem: "password-personal" } },
  },
  "select-account": {
    plain: { shows: { accounts: [{ name: "Mira Lindqvist", email: mira }] } },
    many: {
      shows: {
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
      shows: { accounts: [{ name: "Mira Lindqvist", email: mira }] },
      branding: { primaryColor: "#000", pageBackground: "#fff" },
    },
  },
  "select-organization": {
    plain: {
      shows: {
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
      shows: { account: mira, organizations: hardLogos.map((name) => ({ id: name, name: `A ${name} logo`, logoUrl: logo(name) })) },
    },
    endless: {
      shows: {
        account: longEmail,
        organizations: [
          { id: "org_1", name: words },
          { id: "org_2", name: oneWord },
        ],
      },
    },
    twins: {
      shows: {
        account: mira,
        organizations: ["fieldnotes", "fieldnotes-europe"].map((uniqueName, index) => ({ id: `org_${index}`, ...fieldnotes, uniqueName })),
      },
    },
    sixty: { shows: { account: mira, organizations: sixty } },
  },
  invitation: {
    plain: { shows: invited },
    other: { shows: { ...invited, account: "jonas@example.com", invited: false } },
    long: { shows: { ...longInvitation, email: longEmail, account: longEmail, invited: false }, tenantName: long },
    endless: { shows: { ...invited, ...endlessInvitation, account: oneWord }, tenantName: words },
  },
  consent: {
    plain: { shows: asking },
    themed: { shows: asking, ...themed },
    "themed-dark": { shows: asking, ...darkThemed },
    api: {
      shows: {
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
    nothing: { shows: { ...asking, client: { name: "Fieldnotes" }, scopes: [] } },
    endless: { shows: { ...asking, client: { name: words }, audience: oneWord, account: longEmail }, tenantName: oneWord },
    white: {
      shows: { ...asking, client: { name: "Fieldnotes" } },
      branding: { primaryColor: "#ffffff", pageBackground: "#7a1f5c", logoUrl: logo("fieldnotes") },
    },
    ...Object.fromEntries(
      hardLogos.map((name) => [
        `logo-${name}`,
        { shows: { ...asking, client: { name: "Fieldnotes", logoUri: logo(name) } }, branding: { logoUrl: logo(name) } },
      ]),
    ),
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

/** An error of each reason that has words of its own. */
const reasons: { readonly [Reason in PageReason]: ShownError } = {
  "no-login": { ...denied, reason: "no-login", description: "A sign-in cannot start at this URL. Go to the app and start there." },
  "cookies-blocked": { ...denied, reason: "cookies-blocked", description: "the browser keeps no cookies" },
  "invitation-expired": { ...denied, reason: "invitation-expired", description: "the invitation has expired" },
  "invitation-used": { ...denied, reason: "invitation-used", description: "the invitation was used" },
  "invitation-withdrawn": { ...denied, reason: "invitation-withdrawn", description: "the invitation was withdrawn" },
};

const linkDone = { email: mira, wayOn: app, resetPage: undefined };

/** Every page that is no step and is drawn in a frame. */
const others: { readonly [Name in OtherPage]: Variants<{ readonly draw: (drawing: Drawing) => Drawn }> } = {
  answered: {
    plain: { draw: (drawing) => drawAnswered(drawing, { account: mira, wayOn: app }) },
    "no-way-on": { draw: (drawing) => drawAnswered(drawing, { account: mira, wayOn: undefined }) },
    nobody: { draw: (drawing) => drawAnswered(drawing, { account: undefined, wayOn: { href: app.href } }) },
    long: { draw: (drawing) => drawAnswered(drawing, { account: longEmail, wayOn: { ...app, clientName: words } }), tenantName: long },
  },
  "confirm-code": {
    plain: { draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: undefined, wayOn: app }), clientName: app.clientName },
    used: { draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: "used", wayOn: app }) },
    refused: { draw: (drawing) => drawConfirmCode(drawing, { account: mira, problem: "refused", wayOn: app }) },
    blocked: { draw: (drawing) => drawConfirmCode(drawing, { account: longEmail, problem: "blocked", wayOn: undefined }) },
    endless: {
      draw: (drawing) => drawConfirmCode(drawing, { account: longEmail, problem: undefined, wayOn: undefined }),
      clientName: oneWord,
    },
  },
  "confirm-logout": {
    plain: { draw: (drawing) => drawConfirmLogout(drawing, { account: mira, wayOn: app }) },
    "no-way-on": { draw: (drawing) => drawConfirmLogout(drawing, { account: mira, wayOn: undefined }) },
    endless: { draw: (drawing) => drawConfirmLogout(drawing, { account: oneWord, wayOn: app }), tenantName: oneWord },
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
    unknown: { draw: (drawing) => drawLinkResult(drawing, { ...linkDone, email: "", wayOn: undefined, outcome: "unknown" }) },
  },
  error: {
    plain: { draw: (drawing) => drawError(drawing, refused) },
    "way-on": { draw: (drawing) => drawError(drawing, { ...refused, wayOn: app }) },
    "way-on-plain": { draw: (drawing) => drawError(drawing, { ...refused, wayOn: { href: app.href } }) },
    "way-on-long": { draw: (drawing) => drawError(drawing, { ...refused, wayOn: { ...app, clientName: oneWord } }) },
    expired: { draw: (drawing) => drawError(drawing, expired) },
    "expired-way-on": { draw: (drawing) => drawError(drawing, { ...expired, wayOn: app }) },
    ...Object.fromEntries(
      Object.entries(reasons).flatMap(([reason, error]) => [
        [reason, { draw: (drawing: Drawing) => drawError(drawing, error) }],
        [`${reason}-way-on`, { draw: (drawing: Drawing) => drawError(drawing, { ...error, wayOn: app }) }],
      ]),
    ),
  },
};

const brandedPost = { branding: { logoUrl: logo("wide"), primaryColor: "#0b6e4f", pageBackground: "#e8f3ec" } };

/** The page that posts an answer. Where its script runs, nobody sees it for long. */
export const formPosts: readonly Exhibit[] = exhibits("form-post", { plain: {}, branded: brandedPost }, (setting, locale) => {
  const look = lookOf(setting, locale);
  const html = renderFormPost({ ...look, action: "https://app.example.test/callback", fields: { code: "c" }, nonce });
  return { html, ...brandingSources(look.branding), script: false };
});

/** Every page, and what bends it. */
export const gallery: readonly Exhibit[] = [
  ...Object.entries(screens).flatMap(([name, variants]) =>
    exhibits<{ readonly shows: object }>(name, variants, (exhibit, locale) => {
      const screen = Screen.parse({ name, ...exhibit.shows });
      return drawPage(frameOf(exhibit, locale), name, (drawing) => drawScreen(drawing, screen));
    }),
  ),
  ...Object.entries(others).flatMap(([name, variants]) =>
    exhibits(name, variants, (exhibit, locale) => drawPage(frameOf(exhibit, locale), name, exhibit.draw)),
  ),
];

/** The exhibit of this name. */
export function exhibitNamed(name: string): Exhibit {
  const found = gallery.find((exhibit) => exhibit.name === name);
  if (found === undefined) throw new Error(`the gallery has no exhibit '${name}'`);
  return found;
}

function exhibits<Of>(page: string, variants: Variants<Of>, draw: (exhibit: Of & Setting, locale: string) => DrawnPage): Exhibit[] {
  return Object.entries(variants).map(([variant, exhibit]) => ({
    name: variant === "plain" ? page : `${page}-${variant}`,
    draw: (locale) => draw(exhibit, locale),
  }));
}

function lookOf({ branding = {}, tenantName = "Harbour" }: Setting, locale: string): PageLook {
  const say = spoken.get(locale);
  if (say === undefined) throw new Error(`the gallery has no texts in '${locale}'`);
  return { branding, tenantName, say };
}

function frameOf(setting: Setting, locale: string): PageFrame {
  const { clientName = "Tideline" } = setting;
  return { ...lookOf(setting, locale), clientName, action: "/u/login", hidden: { state: "main.s", csrf: "c" }, nonce };
}
