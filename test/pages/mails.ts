import { mailTranslator } from "../../packages/core/src/locales/mails/translate.ts";
import type { PageBranding } from "../../packages/core/src/branding/branding.ts";
import { drawMail } from "../../packages/core/src/messages/layout.tsx";
import type { MailMessage } from "../../packages/core/src/messages/message.ts";
import { accountChanged } from "../../packages/core/src/messages/mails/account-changed.ts";
import { accountExists } from "../../packages/core/src/messages/mails/account-exists.ts";
import { accountLinked } from "../../packages/core/src/messages/mails/account-linked.ts";
import { addressCode } from "../../packages/core/src/messages/mails/address-code.ts";
import { addressInUse } from "../../packages/core/src/messages/mails/address-in-use.ts";
import { blockedAccount } from "../../packages/core/src/messages/mails/blocked-account.ts";
import { invitationMail } from "../../packages/core/src/messages/mails/invitation.ts";
import { linkCode } from "../../packages/core/src/messages/mails/link-code.ts";
import { loginCode } from "../../packages/core/src/messages/mails/login-code.ts";
import { loginLink } from "../../packages/core/src/messages/mails/login-link.ts";
import { newDevice } from "../../packages/core/src/messages/mails/new-device.ts";
import { passwordChangedMail } from "../../packages/core/src/messages/mails/password-changed.ts";
import { resetPasswordMail } from "../../packages/core/src/messages/mails/reset-password.ts";
import { testMail } from "../../packages/core/src/messages/mails/test-mail.ts";
import { verifyEmailMail } from "../../packages/core/src/messages/mails/verify-email.ts";
import { welcome } from "../../packages/core/src/messages/mails/welcome.ts";
import { footerOf } from "../../packages/core/src/messages/plain-text.ts";
import { pictures } from "./pictures.ts";

/** A mail in the gallery: one variant of a mail. */
export interface MailExhibit {
  readonly name: string;
  /**
   * Returns the mail as an HTML response. Its Content-Security-Policy allows images and inline styles only, as a mail
   * client does.
   */
  response(locale: string): Promise<Response>;
}

/** The window sizes in which mails are rendered. */
export const mailWindows = [
  [320, 640],
  [600, 800],
] as const;

interface MailVariant {
  readonly message: MailMessage;
  readonly branding?: PageBranding;
  readonly sender?: string;
  readonly address?: string;
  readonly rightToLeft?: true;
}

const link = `https://login.example.test/u/verify-email?ticket=main.${"b2Y0NzRkZjYtYzE0".repeat(4)}`;
const code = "483920";
const at = Date.UTC(2026, 0, 8, 12, 5);
const facts = { at, ip: "2001:db8:85a3::8a2e:370:7334", device: "Firefox on Windows" };
const logo = (name: string): string => `${pictures}/${name}.svg`;
const longEmail = "maximiliane.von-und-zu-hohenstaufen+newsletter.2026@abteilung.verwaltung.vereinigte-versicherungen.example.com";
const oneWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(3);

const exhibits: { readonly [name: string]: MailVariant } = {
  "verify-link": { message: verifyEmailMail({ link }) },
  "verify-code": { message: verifyEmailMail({ code, link }), branding: { logoUrl: logo("fieldnotes") } },
  welcome: { message: welcome() },
  test: { message: testMail(at) },
  "reset-link": { message: resetPasswordMail({ link }), branding: { primaryColor: "#ffd400", pageBackground: "#fff7d6" } },
  "reset-code": { message: resetPasswordMail({ code, link }) },
  "login-code": { message: loginCode({ code }) },
  "login-code-link": { message: loginCode({ code, link }), branding: { primaryColor: "#0b6e4f", logoUrl: logo("wide") } },
  "login-link": { message: loginLink({ link }), branding: { primaryColor: "#000000" } },
  invitation: { message: invitationMail({ inviter: "Jonas Berg", organization: "Fieldnotes", link, expiresAt: at }) },
  "password-changed": { message: passwordChangedMail() },
  blocked: { message: blockedAccount(facts) },
  "new-device": { message: newDevice(facts), branding: { logoUrl: logo("dark"), darkLogoUrl: logo("white") } },
  "link-code": { message: linkCode({ code, provider: "GitHub" }) },
  "account-linked": { message: accountLinked("GitHub") },
  "address-code": { message: addressCode({ code }) },
  "address-in-use": { message: addressInUse() },
  "email-changed": { message: accountChanged("email", link, facts) },
  "phone-changed": { message: accountChanged("phone", link, facts) },
  "username-changed": { message: accountChanged("username", link, facts) },
  "account-unlinked": { message: accountChanged("unlinked", link, facts) },
  "account-exists": { message: accountExists({ link }) },
  endless: {
    message: newDevice({ ...facts, device: oneWord }),
    sender: oneWord,
    address: longEmail,
    branding: { logoUrl: logo("broken") },
  },
  "right-to-left": { message: verifyEmailMail({ code, link }), rightToLeft: true },
  "right-to-left-facts": { message: newDevice(facts), rightToLeft: true },
};

/** All mails, with variants that have unusual data. */
export const mails: readonly MailExhibit[] = Object.entries(exhibits).map(([name, exhibit]) => ({
  name: `mail-${name}`,
  async response(locale) {
    const html = await draw(exhibit, locale);
    const policy = `default-src 'none'; img-src ${pictures}; style-src 'unsafe-inline'`;
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy } });
  },
}));

async function draw(
  { message, branding = {}, sender = "Harbour", address = "mira@example.com", rightToLeft }: MailVariant,
  locale: string,
) {
  const translation = await mailTranslator(locale, "formal");
  const t = rightToLeft === true ? { ...translation, direction: "rtl" as const } : translation;
  const content = message.write({ t, sender, app: "Tideline", address, host: "login.example.test" });
  return drawMail({ t, content, footer: footerOf(t, address, sender, "https://help.example.test/"), name: sender, branding });
}
