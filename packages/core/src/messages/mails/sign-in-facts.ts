import type { Block, Writing } from "../message.ts";
import { timeText } from "./time-text.ts";

/** The known facts about a sign-in, or about a failed attempt. */
export interface SignInFacts {
  /** When the sign-in or the attempt was made, in milliseconds since 1970. */
  readonly at: number;
  /** The IP address of the request. */
  readonly ip?: string | undefined;
  /** The description of the device, such as `Firefox on Windows`. */
  readonly device?: string | undefined;
}

/** Returns the part of a mail that lists the facts, so that the reader can recognize their own sign-in. */
export function factsBlock({ t }: Writing, { at, ip, device }: SignInFacts): Block {
  const known: readonly (readonly [name: string, value: string | undefined])[] = [
    [t.text("factTime"), timeText(at, t.lang)],
    [t.text("factDevice"), device],
    [t.text("factAddress"), ip],
  ];
  return { kind: "facts", facts: known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])) };
}
