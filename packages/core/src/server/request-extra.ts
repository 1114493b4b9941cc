/** Facts about a request that only the host application knows. */
export interface RequestExtra {
  /** The IP address of the peer that sent the request. Without it, limits by IP address do not apply. */
  readonly clientAddress?: string;
  /**
   * Receives work that continues after the response, such as the delivery of mail. The promise never rejects. On
   * platforms that stop or suspend a process after the response (serverless), pass the platform's `waitUntil`. Before a
   * process exits, await the work. Default: the work runs as long as the process does.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}
