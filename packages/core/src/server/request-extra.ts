/** What a host knows about a request besides the request itself. */
export interface RequestExtra {
  /** The address of the peer that sent it. Without it, limits by address do not run. */
  readonly clientAddress?: string;
  /**
   * Told of what goes on after the answer, such as the delivery of a mail: work that never rejects. Where a process stops or sleeps as soon as it has answered
   * (serverless platforms), pass the platform's own; where a process is about to end, wait for it. Default: it goes on by itself for as long as the process does.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}
