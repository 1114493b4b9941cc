import type { Block, Writing } from "../message.ts";
import { timeText } from "./time-text.ts";

/** What is known of a sign-in, or of a try. */
export interface SignInFacts {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The network address that it came from. */
  readonly ip?: string | undefined;
  /** The device, in words: `Firefox on Windows`. */
  readonly device?: string | undefined;
}

/** As a block: whoever reads it can tell whether it was them. */
export function factsBlock({ say }: Writing, { at, ip, device }: SignInFacts): Block {
  const known: readonly (readonly [name: string, value: string | undefined])[] = [
    [say.text("factTime"), timeText(at, say.lang)],
    [say.text("factDevice"), device],
    [say.text("factAddress"), ip],
  ];
  return { kind: "facts", facts: known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])) };
}
