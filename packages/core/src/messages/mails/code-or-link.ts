import type { Block, Writing } from "../message.ts";

/** What somebody proves an address by. At least one of the two is there. */
export interface CodeOrLink {
  readonly code?: string;
  /** Absolute. Opening it must change nothing: scanners of mail open every link. */
  readonly link?: string;
}

/** The code, the link, or both. */
export function codeOrLinkBlocks({ say }: Writing, { code, link }: CodeOrLink, label: string): readonly Block[] {
  return [
    ...(code === undefined ? [] : [{ kind: "code", code } as const]),
    ...(code === undefined || link === undefined ? [] : [{ kind: "text", text: say.text("codeOrLink") } as const]),
    ...(link === undefined ? [] : [{ kind: "link", label, link } as const]),
  ];
}
