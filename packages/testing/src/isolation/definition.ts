import type { Description } from "./document.ts";
import type { Records } from "./records.ts";
import type { Party, SentMessage } from "./tenant-access.ts";

/** What the cases of a run share. */
export interface Room {
  /** The tenant whose things are replayed. */
  readonly owner: Party;
  /** The tenant where they are. */
  readonly stranger: Party;
  readonly management: Description;
  readonly auth: Description;
  /** What the owner has. */
  readonly theirs: Records;
  /** What the stranger has, for questions that change nothing. */
  readonly own: Records;
  /** The last message to an address; undefined where the host hands over none. */
  readonly message: ((to: string) => Promise<SentMessage>) | undefined;
}

/** A case before it is bound to an installation. */
export interface Definition {
  readonly name: string;
  run(room: Room): Promise<void>;
}

/** A case does not apply to this installation. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}
