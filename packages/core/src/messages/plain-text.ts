import type { MailTranslate } from "../locales/mails/translate.ts";
import type { Block, MailContent } from "./message.ts";

/** The footer of a mail. */
export interface MailFooter {
  readonly text: string;
  readonly support?: { readonly label: string; readonly link: string } | undefined;
}

/** Returns a mail as plain text. It has the same content as the HTML, in the same order. */
export function plainText({ subject, blocks }: MailContent, footer: MailFooter): string {
  const foot = [footer.text, ...(footer.support === undefined ? [] : [`${footer.support.label}: ${bare(footer.support.link)}`])];
  return `${[subject, ...blocks.map(plainBlock), "-- ", foot.join("\n")].join("\n\n").replace("-- \n\n", "-- \n")}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case "text":
    case "note":
      return block.text;
    case "code":
      return `    ${block.code}`;
    case "link":
      return `${block.label}:\n${block.link}`;
    case "facts":
      return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  }
}

/** Returns the email address in a `mailto:` link, and any other link unchanged. */
function bare(link: string): string {
  return link.startsWith("mailto:") ? decodeURIComponent(link.slice("mailto:".length)) : link;
}

/** Returns the footer of a mail. */
export function footerOf(t: MailTranslate, address: string, sender: string, support: string | undefined): MailFooter {
  return {
    text: t.text("footer", { address, sender }),
    ...(support !== undefined && { support: { label: t.text("help"), link: support } }),
  };
}
