import type { Block, Writing } from "../message.ts";

/** The code, the link or both with which a user verifies an address. At least one of them is present. */
export interface CodeOrLink {
  readonly code?: string;
  /** Absolute. A GET request to it must change nothing, because mail scanners open every link. */
  readonly link?: string;
}

/** Returns blocks with the code, the link, or both. */
export function codeOrLinkBlocks({ t }: Writing, { code, link }: CodeOrLink, label: string): readonly Block[] {
  return [
    ...(code === undefined ? [] : [{ kind: "code", code } as const]),
    ...(code === undefined || link === undefined ? [] : [{ kind: "text", text: t.text("codeOrLink") } as const]),
    ...(link === undefined ? [] : [{ kind: "link", label, link } as const]),
  ];
}
