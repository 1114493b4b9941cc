import type { HostServices } from "../context.ts";
import { PosternError } from "../errors.ts";

/** The limits of {@link createAdmission}. */
export interface AdmissionLimits {
  /** Maximum number of requests that are handled at the same time. One tenant can have half of them, at least one. */
  readonly inFlight: number;
  /** Maximum milliseconds that a request waits until it is handled. */
  readonly waitMs: number;
}

/**
 * Limits the number of requests that are handled at the same time. Without a limit, an overloaded process accepts
 * requests faster than it completes them, until all of them time out.
 */
export interface Admission {
  /**
   * Waits until the request can be handled.
   * @throws {OverloadError} after `waitMs`, or at once if too many requests wait.
   */
  enter(): Promise<AdmittedRequest>;
}

/** A request that is being handled. */
export interface AdmittedRequest {
  /**
   * Counts the request for its tenant, and waits while the tenant has its share.
   * @throws {OverloadError} as `enter`.
   */
  assign(tenantId: string): Promise<void>;
  /** Ends the request. Repeating it does nothing. */
  leave(): void;
}

/** The response to a request that was not handled because of {@link AdmissionLimits}. */
export class OverloadError extends PosternError {
  constructor() {
    super("temporarily_unavailable", "the service is handling too many requests; try again", { headers: { "retry-after": "1" } });
  }
}

/** Waiting requests for each request that is handled. A longer queue could not be served within `waitMs`. */
const maxWaitingPerSlot = 16;

/** Minimum milliseconds between two warnings. */
const warningInterval = 1000;

interface Waiter {
  readonly tenantId: string | undefined;
  readonly start: () => void;
}

/** Creates an {@link Admission}. */
export function createAdmission({ inFlight, waitMs }: AdmissionLimits, { wait, logger, clock }: HostServices): Admission {
  const tenantShare = Math.max(1, Math.floor(inFlight / 2));
  const byTenant = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let running = 0;
  let rejected = 0;
  let lastWarning = -Infinity;

  const hasShare = (tenantId: string | undefined): boolean => tenantId === undefined || (byTenant.get(tenantId) ?? 0) < tenantShare;
  const canStart = (tenantId: string | undefined): boolean => running < inFlight && hasShare(tenantId);
  const start = (tenantId: string | undefined): void => {
    running++;
    if (tenantId !== undefined) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1);
  };
  const end = (tenantId: string | undefined): void => {
    running--;
    if (tenantId !== undefined) {
      const left = (byTenant.get(tenantId) ?? 1) - 1;
      if (left === 0) byTenant.delete(tenantId);
      else byTenant.set(tenantId, left);
    }
    // A set iterates in the order of insertion, so the request that has waited longest starts first.
    for (const waiter of waiting) {
      if (running >= inFlight) break;
      if (!canStart(waiter.tenantId)) continue;
      waiting.delete(waiter);
      start(waiter.tenantId);
      waiter.start();
    }
  };
  const reject = (): OverloadError => {
    rejected++;
    if (clock.now() - lastWarning >= warningInterval) {
      logger.log({ level: "warn", event: "overload", rejected, in_flight: running, waiting: waiting.size });
      lastWarning = clock.now();
      rejected = 0;
    }
    return new OverloadError();
  };

  /** Starts a request, at once or within `waitMs`. */
  const admit = async (tenantId: string | undefined): Promise<void> => {
    if (canStart(tenantId)) return start(tenantId);
    if (waitMs === 0 || waiting.size >= inFlight * maxWaitingPerSlot) throw reject();
    const started = new AbortController();
    const waiter: Waiter = { tenantId, start: () => started.abort() };
    waiting.add(waiter);
    await wait(waitMs, started.signal);
    if (waiting.delete(waiter)) throw reject();
  };

  return {
    async enter() {
      await admit(undefined);
      let tenantId: string | undefined;
      let isRunning = true;
      return {
        async assign(assigned) {
          if (hasShare(assigned)) byTenant.set(assigned, (byTenant.get(assigned) ?? 0) + 1);
          else {
            // While it waits for its tenant, the request leaves its slot to the requests of other tenants.
            end(undefined);
            isRunning = false;
            await admit(assigned);
            isRunning = true;
          }
          tenantId = assigned;
        },
        leave() {
          if (isRunning) end(tenantId);
          isRunning = false;
        },
      };
    },
  };
}
