import { passwordRules } from "../../packages/core/src/domain/passwords/policy.ts";
import { builtIn } from "../../packages/core/src/locales/catalogues.ts";
import type { PageBranding, PageFrame, PageLook, Screen } from "../../packages/core/src/login/screen.ts";

/** A page as it is looked at: a screen, and who shows it. */
export interface Exhibit {
  readonly name: string;
  readonly screen: Screen;
  readonly branding?: PageBranding;
  readonly tenantName?: string;
  readonly clientName?: string;
}

/** Pictures are answered by the test, from an origin of their own. */
export const pictures = "https://pictures.example.test";

const long = "Vereinigte Südschwedische Gebäudeversicherungsaktiengesellschaft & Söhne";
const longEmail = "maximiliane.von-und-zu-hohenstaufen+newsletter.2026@abteilung.verwaltung.vereinigte-versicherungen.example.com";
const scopes = ["openid", "profile", "email", "offline_access"].map((value) => ({ value }));

const invitation = {
  name: "invitation",
  organization: { name: "Fieldnotes", logoUrl: `${pictures}/fieldnotes.svg` },
  inviter: "Jonas Berg",
  email: "mira@example.com",
  account: "mira@example.com",
  invited: true,
} as const;

const createAccount = {
  name: "create-account",
  organization: { name: "Fieldnotes", logoUrl: `${pictures}/fieldnotes.svg` },
  inviter: "Jonas Berg",
  email: "mira@example.com",
  rules: passwordRules("", { passwordPolicy: "excellent" }),
} as const;

/** Every screen, and what bends it. */
export const gallery: readonly Exhibit[] = [
  { name: "identifier", screen: { name: "identifier", kinds: ["email", "username"] } },
  { name: "identifier-problem", screen: { name: "identifier", kinds: ["email"], problem: "identifier-missing" } },
  {
    name: "identifier-long",
    screen: { name: "identifier", kinds: ["email", "phone", "username"], identifier: longEmail },
    tenantName: long,
    clientName: long,
  },
  { name: "password", screen: { name: "password", identifier: "mira@example.com" } },
  { name: "password-problem", screen: { name: "password", identifier: "mira@example.com", problem: "wrong-credentials" } },
  { name: "password-throttled", screen: { name: "password", identifier: longEmail, problem: "too-many-attempts" } },
  { name: "password-blocked", screen: { name: "password", identifier: "mira@example.com", problem: "blocked" }, tenantName: long },
  {
    name: "consent",
    screen: {
      name: "consent",
      client: { name: "Fieldnotes", logoUri: `${pictures}/fieldnotes.svg` },
      account: "mira@example.com",
      scopes,
    },
  },
  {
    name: "consent-api",
    screen: {
      name: "consent",
      client: { name: long },
      account: longEmail,
      audience: "Harbour Billing API",
      scopes: [
        ...scopes.slice(0, 1),
        { value: "read:invoices", description: "Read your invoices and the payments that belong to them" },
        { value: "write:invoices:drafts:of:every:department:including:the:ones:abroad" },
      ],
    },
    tenantName: long,
  },
  { name: "consent-nothing", screen: { name: "consent", client: { name: "Fieldnotes" }, account: "mira@example.com", scopes: [] } },
  {
    name: "select-account",
    screen: { name: "select-account", accounts: [{ name: "Mira Lindqvist", email: "mira@example.com" }] },
  },
  {
    name: "select-account-many",
    screen: {
      name: "select-account",
      accounts: [
        { name: "Mira Lindqvist", email: "mira@example.com", picture: `${pictures}/mira.svg` },
        { name: "ليلى حداد", email: "layla@example.com" },
        { name: long, email: longEmail },
      ],
    },
  },
  {
    name: "select-organization",
    screen: {
      name: "select-organization",
      account: "mira@example.com",
      organizations: [
        { id: "org_1", name: "Fieldnotes", logoUrl: `${pictures}/fieldnotes.svg` },
        { id: "org_2", name: "Nordlicht Logistik" },
        { id: "org_3", name: "شركة المرفأ" },
        { id: "org_4", name: long },
      ],
    },
  },
  { name: "invitation", screen: invitation },
  { name: "invitation-other", screen: { ...invitation, account: "jonas@example.com", invited: false } },
  {
    name: "invitation-long",
    screen: { ...invitation, organization: { name: long }, inviter: long, email: longEmail, account: longEmail, invited: false },
    tenantName: long,
  },
  { name: "create-account", screen: createAccount },
  {
    name: "create-account-problem",
    screen: { ...createAccount, organization: { name: long }, inviter: long, email: longEmail, problem: "password-too-weak" },
    tenantName: long,
  },
  { name: "confirm-logout", screen: { name: "confirm-logout" } },
  { name: "logged-out", screen: { name: "logged-out" } },
  {
    name: "error",
    screen: {
      name: "error",
      code: "invalid_request",
      description: "redirect_uri is not one of the client's registered callback URLs",
      requestId: "req_01JD8Y7ZK3N5X2M4Q6R8T0V1WA",
    },
  },
  {
    name: "error-expired",
    screen: {
      name: "error",
      code: "login_expired",
      description: "This sign-in has expired or began in another browser. Go back to the app and start again.",
      requestId: "req_01JD8Y7ZK3N5X2M4Q6R8T0V1WA",
    },
  },
  {
    name: "branded-logo",
    screen: { name: "identifier", kinds: ["email"], identifier: "mira@example.com" },
    branding: { logoUrl: `${pictures}/wide.svg`, primaryColor: "#0b6e4f", pageBackground: "#e8f3ec" },
  },
  {
    name: "branded-organization",
    screen: { name: "password", identifier: "mira@example.com" },
    branding: {
      name: "Nordlicht Logistik",
      logoUrl: `${pictures}/wide.svg`,
      faviconUrl: `${pictures}/fieldnotes.svg`,
      primaryColor: "#b8410e",
      pageBackground: { start: "#ffd7b0", end: "#9db8e8", angle: 35 },
    },
  },
  {
    name: "branded-pale",
    screen: { name: "password", identifier: "mira@example.com", problem: "try-again" },
    branding: { primaryColor: "#ffe14d", pageBackground: "#10243e" },
  },
  {
    name: "branded-black",
    screen: { name: "select-account", accounts: [{ name: "Mira Lindqvist", email: "mira@example.com" }] },
    branding: { primaryColor: "#000", pageBackground: "#fff" },
  },
  {
    name: "branded-white",
    screen: { name: "consent", client: { name: "Fieldnotes" }, account: "mira@example.com", scopes },
    branding: { primaryColor: "#ffffff", pageBackground: "#7a1f5c", logoUrl: `${pictures}/fieldnotes.svg` },
  },
];

/** How the pages of an exhibit's tenant look. */
export function lookOf({ branding = {}, tenantName = "Harbour" }: Pick<Exhibit, "branding" | "tenantName">, locale: string): PageLook {
  return { branding, tenantName, locale, catalogues: builtIn };
}

/** The frame of an exhibit. */
export function frameOf(exhibit: Exhibit, locale: string): PageFrame {
  const { screen, clientName = "Tideline" } = exhibit;
  const hidden = { state: "main.s", csrf: "c" };
  return { ...lookOf(exhibit, locale), screen, clientName, action: "/u/login", hidden, nonce: "bm9uY2U" };
}

/** A picture for an address of the pictures' origin. */
export function pictureAt(path: string): string {
  const wide = path.includes("wide");
  const face = path.includes("mira");
  const body = wide
    ? '<path d="M20 60c20-40 40-40 60 0" stroke="#0b6e4f" stroke-width="12" fill="none"/><text x="100" y="62" font-family="sans-serif" font-size="48" font-weight="700" fill="#0b6e4f">harbour</text>'
    : face
      ? '<rect width="80" height="80" fill="#f2c9a1"/><circle cx="40" cy="32" r="15" fill="#7a4a2b"/><path d="M10 80c0-40 60-40 60 0" fill="#365"/>'
      : '<rect width="80" height="80" fill="#fff3d6"/><path d="M20 58V22h14l26 36V22" stroke="#c2571a" stroke-width="9" fill="none"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide ? 320 : 80} 80" width="${wide ? 320 : 80}" height="80">${body}</svg>`;
}
