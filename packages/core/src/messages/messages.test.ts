import { describe, expect, test } from "vitest";
import { mailLanguages } from "../locales/mails/languages.ts";
import { mailTranslator } from "../locales/mails/translate.ts";
import { drawMail } from "./layout.tsx";
import type { MailMessage, SmsMessage, Writing } from "./message.ts";
import { accountExists } from "./mails/account-exists.ts";
import { accountLinked } from "./mails/account-linked.ts";
import { blockedAccount } from "./mails/blocked-account.ts";
import { invitationMail } from "./mails/invitation.ts";
import { linkCode } from "./mails/link-code.ts";
import { loginCode } from "./mails/login-code.ts";
import { loginLink } from "./mails/login-link.ts";
import { newDevice } from "./mails/new-device.ts";
import { passwordChangedMail } from "./mails/password-changed.ts";
import { resetPasswordMail } from "./mails/reset-password.ts";
import { verifyEmailMail } from "./mails/verify-email.ts";
import { welcome } from "./mails/welcome.ts";
import { footerOf, plainText } from "./plain-text.ts";

const hostile = '"><script>alert(1)</script><a href="https://evil.test">&';
const link = "https://id.example.test/u/x?ticket=main.abc&a=1";
const code = "123456";
const signIn = { at: Date.UTC(2026, 0, 8, 12), ip: hostile, device: hostile };

const messages: { readonly [name: string]: MailMessage } = {
  "verification by link": verifyEmailMail({ link }),
  "verification by code": verifyEmailMail({ code }),
  "verification by either": verifyEmailMail({ code, link }),
  welcome: welcome(),
  "reset by link": resetPasswordMail({ link }),
  "reset by code": resetPasswordMail({ code, link }),
  "one-time code": loginCode({ code }),
  "code and link": loginCode({ code, link }),
  "magic link": loginLink({ link }),
  invitation: invitationMail({ inviter: hostile, organization: hostile, link, expiresAt: signIn.at }),
  "password changed": passwordChangedMail(),
  "blocked account": blockedAccount(signIn),
  "new device": newDevice(signIn),
  "link code": linkCode({ code, provider: hostile }),
  "account linked": accountLinked(hostile),
  "account exists": accountExists({ link }),
};

/** Every language, with each of its forms of address. */
const forms = [...mailLanguages].flatMap(([lang, { familiar }]) => [
  [lang, "formal"] as const,
  ...(familiar === undefined ? [] : [[lang, "familiar"] as const]),
]);

async function writing(lang: string, form: "formal" | "familiar", name: string): Promise<Writing> {
  return { t: await mailTranslator(lang, form), sender: name, app: name, address: name, host: "id.example.test" };
}

describe.each(forms)("messages in %s, with the %s form of address", (lang, form) => {
  test.each(Object.entries(messages))("%s escapes foreign text, and has the same content in HTML and text", async (_, message) => {
    const { t, ...rest } = await writing(lang, form, hostile);
    const content = message.write({ t, ...rest });
    const footer = footerOf(t, hostile, hostile, "https://help.example.test/?a=1&b=2");
    const branding = { logoUrl: 'https://logo.example.test/"onerror="x.svg', primaryColor: "red;} body{display:none", name: hostile };
    const html = drawMail({ t, content, footer, name: hostile, branding });
    expect(html).not.toContain("<script");
    expect(html).not.toContain('href="https://evil.test"');
    expect(html).not.toContain("display:none}</style>");
    expect(html).not.toMatch(/\sonerror=/);
    expect(html).toContain(`<html lang="${lang}" dir="${t.direction}">`);
    // The mail loads only the logo.
    expect([...html.matchAll(/\b(?:src|srcset|background)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      "https://logo.example.test/%22onerror=%22x.svg",
    ]);
    expect(html).not.toMatch(/url\(|@import|<link/);

    const text = plainText(content, footer);
    for (const part of [content.subject, footer.text]) expect(text).toContain(part);
    for (const value of [message.code, message.link]) {
      if (value === undefined) continue;
      expect(text).toContain(value);
      expect(html).toContain(value.replaceAll("&", "&amp;"));
    }
    expect(`${text}${html}`).not.toMatch(/\{\w+\}|undefined|\[object/);
  });
});

test("a mail has colors for dark mode, and the text direction of its language", async () => {
  const { t, ...rest } = await writing("en", "formal", "Acme");
  const content = welcome().write({ t, ...rest });
  const footer = footerOf(t, "a@example.test", "Acme", undefined);
  const html = drawMail({ t: { ...t, lang: "ar", direction: "rtl" }, content, footer, name: "Acme", branding: {} });
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('align="right"');
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
  expect(html).toContain("@media (prefers-color-scheme:dark)");
});

test("a text message starts with the code, and its last line binds the code to the host of the login pages", async () => {
  const sms: SmsMessage = loginCode({ code, link });
  const text = sms.writeText(await writing("en", "formal", "Acme"));
  expect(text.split("\n\n")).toEqual([`${code} is your code to sign in to Acme. Don’t share it.`, link, `@id.example.test #${code}`]);
  expect(loginLink({ link }).writeText(await writing("de", "familiar", "Acme"))).toContain(link);
  expect(() => loginCode({})).toThrow("a code or a link");
});
