import type { Block, Writing } from "../message.ts";

/** The code and the link with which the recipient of a message continues. At least one of them is present. */
export interface CodeOrLink {
  readonly code?: string;
  /** An absolute URL. A GET request to this URL must not change anything, because mail scanners open every link. */
  readonly link?: string;
}

/** Returns the parts of a mail with the code, the link, or both. */
export function codeOrLinkBlocks({ t }: Writing, { code, link }: CodeOrLink, label: string): readonly Block[] {
  return [
    ...(code === undefined ? [] : [{ kind: "code", code } as const]),
    ...(code === undefined || link === undefined ? [] : [{ kind: "text", text: t.text("codeOrLink") } as const]),
    ...(link === undefined ? [] : [{ kind: "link", label, link } as const]),
  ];
}
