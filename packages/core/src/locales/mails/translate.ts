import type { FormOfAddress, NamesIn } from "../messages.ts";
import { fill } from "../translate.ts";
import type { en } from "./en.ts";
import { mailLanguage, speaks } from "./languages.ts";
import type { MailTextKey, MailTexts } from "./texts.ts";

type Values<Key extends MailTextKey> = [NamesIn<(typeof en)[Key]>] extends [never]
  ? []
  : [values: { readonly [Name in NamesIn<(typeof en)[Key]>]: string }];

/** Says texts of one language, with their placeholders filled. */
export interface MailTranslate {
  readonly lang: string;
  readonly direction: MailTexts["direction"];
  text<Key extends MailTextKey>(key: Key, ...values: Values<Key>): string;
}

/** The texts of mails in a language. A tag that mails do not speak is English. */
export async function mailTranslator(tag: string, form: FormOfAddress): Promise<MailTranslate> {
  const { texts, familiar } = mailLanguage(tag);
  const said: MailTexts = { ...(await texts()), ...(form === "familiar" && (await familiar?.())) };
  return {
    lang: speaks(tag) ? tag : "en",
    direction: said.direction,
    text: (key, ...[values]) => fill(said[key], values).join(""),
  };
}
