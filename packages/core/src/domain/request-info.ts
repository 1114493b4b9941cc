/** What is known about a request, and about the events that belong to it. */
export interface RequestInfo {
  readonly requestId: string;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
  /** The address is that of a proxy which the host did not name, and so everybody's. */
  readonly sharedIp: boolean;
  readonly userAgent: string;
  readonly hostname: string;
  /** What the browser says about languages. */
  readonly acceptLanguage: string;
  /** Begins something when the answer is on its way, so that its time does not show in the answer's. It must not reject. Left out: it begins at once. */
  readonly afterAnswer?: (work: () => Promise<void>) => void;
}

/** Begins something when the answer is on its way. It must not reject. */
export function beginAfterAnswer({ afterAnswer }: RequestInfo, work: () => Promise<void>): void {
  if (afterAnswer === undefined) void work();
  else afterAnswer(work);
}
