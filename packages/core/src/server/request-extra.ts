/** Information about a request that only the host application has. */
export interface RequestExtra {
  /** The IP address of the peer that sent the request. Without it, limits per IP address do not apply. */
  readonly clientAddress?: string;
  /**
   * Receives a promise for work that continues after the response, such as sending mail. The promise never rejects. On
   * platforms that stop or suspend a process after the response (serverless), pass the platform's `waitUntil`. Before a
   * process exits, await these promises. If this is undefined, work that is not done when the process exits is lost.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}
