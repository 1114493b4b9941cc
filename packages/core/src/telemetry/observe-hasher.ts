import type { PasswordHasher } from "../adapters/hasher.ts";
import type { Telemetry } from "./telemetry.ts";

/**
 * Wraps a hasher so that each hash is a span of its request and is measured, with its time in the queue. A verification
 * for an account that does not exist is recorded like any other.
 */
export function observeHasher(hasher: PasswordHasher, telemetry: Telemetry): PasswordHasher {
  const { metrics } = telemetry;
  metrics.observe("hashesActive", () => hasher.queue?.active);
  metrics.observe("hashesWaiting", () => hasher.queue?.waiting);
  const observe = <T>(operation: "hash" | "verify", run: (onStart: () => void) => Promise<T>): Promise<T> => {
    const attributes = { "postern.hash.operation": operation };
    const measured = { histogram: "hashDuration", attributes } as const;
    return telemetry.observe({ name: `password ${operation}`, attributes, measured }, (span) => {
      const queuedAt = telemetry.now();
      return run(() => {
        const seconds = (telemetry.now() - queuedAt) / 1000;
        span.set("postern.hash.wait", seconds);
        metrics.record("hashWait", seconds, {});
      });
    });
  };
  return {
    get queue() {
      return hasher.queue;
    },
    hash: (password, tenantId) => observe("hash", (onStart) => hasher.hash(password, tenantId, onStart)),
    verify: (password, stored, tenantId) => observe("verify", (onStart) => hasher.verify(password, stored, tenantId, onStart)),
    verifyDummy: (password, tenantId) => observe("verify", (onStart) => hasher.verifyDummy(password, tenantId, onStart)),
    accepts: (stored) => hasher.accepts(stored),
  };
}
