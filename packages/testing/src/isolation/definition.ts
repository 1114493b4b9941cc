import type { Description } from "./document.ts";
import type { Records } from "./records.ts";
import type { Tenant, SentMessage } from "./tenant-access.ts";

/** The tenants, documents and records that the cases of a run share. */
export interface Fixture {
  /** The tenant whose ids and artifacts are replayed. */
  readonly owner: Tenant;
  /** The tenant where they are replayed. */
  readonly stranger: Tenant;
  readonly management: Description;
  readonly auth: Description;
  /** The records of the owner. */
  readonly ownerRecords: Records;
  /** The records of the stranger, for requests that change nothing. */
  readonly strangerRecords: Records;
  /** Returns the last message to an address. `undefined` if the host passes no messages to the suite. */
  readonly message: ((to: string) => Promise<SentMessage>) | undefined;
}

/** A case before it is bound to an installation. */
export interface IsolationDefinition {
  readonly name: string;
  run(fixture: Fixture): Promise<void>;
}

/** Thrown by a case that does not apply to this installation. */
export class NotApplicableToService extends Error {
  override readonly name = "NotApplicable";
}
