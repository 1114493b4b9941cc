import type { Description } from "./document.ts";
import type { Records } from "./records.ts";
import type { ConnectedTenant, SentMessage } from "./tenant-access.ts";

/** The tenants, documents and resources that the cases of a run share. */
export interface Fixture {
  /** The tenant whose ids and artifacts are replayed. */
  readonly owner: ConnectedTenant;
  /** The tenant in which the ids and artifacts of the owner are replayed. */
  readonly stranger: ConnectedTenant;
  readonly management: Description;
  readonly auth: Description;
  /** The resources in the owner tenant. */
  readonly ownerRecords: Records;
  /** The resources in the stranger tenant, for requests that change nothing. */
  readonly strangerRecords: Records;
  /**
   * Returns the last message that was sent to an email address. `undefined` if the host application does not pass
   * messages to the suite.
   */
  readonly message: ((to: string) => Promise<SentMessage>) | undefined;
}

/** A case before it is bound to a service and its tenants. */
export interface IsolationDefinition {
  readonly name: string;
  run(fixture: Fixture): Promise<void>;
}

/** Thrown by a case that does not apply to this service. */
export class NotApplicableToService extends Error {
  override readonly name = "NotApplicable";
}
