import type { FormOfAddress, NamesIn } from "../messages.ts";
import { fill } from "../translate.ts";
import type { enMails } from "./en.ts";
import { hasMailLanguage, mailLanguage } from "./languages.ts";
import type { MailTextKey, MailTexts } from "./texts.ts";

type Values<Key extends MailTextKey> = [NamesIn<(typeof enMails)[Key]>] extends [never]
  ? []
  : [values: { readonly [Name in NamesIn<(typeof enMails)[Key]>]: string }];

/** Returns the texts in one language, with the placeholders filled in. */
export interface MailTranslate {
  readonly lang: string;
  readonly direction: MailTexts["direction"];
  text<Key extends MailTextKey>(key: Key, ...values: Values<Key>): string;
}

/** Creates the translator for mails in a language, or the English one if the language is not available. */
export async function mailTranslator(tag: string, form: FormOfAddress): Promise<MailTranslate> {
  const { texts, familiar } = mailLanguage(tag);
  const messages: MailTexts = { ...(await texts()), ...(form === "familiar" && (await familiar?.())) };
  return {
    lang: hasMailLanguage(tag) ? tag : "en",
    direction: messages.direction,
    text: (key, ...[values]) => fill(messages[key], values).join(""),
  };
}
