import type { ReportStep, StepStatus } from "../../adapters/tenant-hooks.ts";
import type { Collection } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import type { Installation } from "../installation.ts";
import { leaseTime } from "./lease.ts";

/** The kinds of operations on tenants. */
export const operationKinds = ["provision", "update", "upgrade", "deprovision", "sync"] as const;
type OperationKind = (typeof operationKinds)[number];

/** The states of an operation. */
export const operationStatuses = ["pending", "running", "succeeded", "failed"] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** The two optional collections for operations. An adapter has both or neither. */
export interface OperationStore {
  readonly operations: Collection<Row<"tenant_operations">>;
  readonly events: Collection<Row<"tenant_operation_events">>;
}

/** Returns the store of operations; undefined if the adapter does not have it. */
export function operationStore({ collections }: Pick<Installation, "collections">): OperationStore | undefined {
  const { tenant_operations: operations, tenant_operation_events: events } = collections;
  return operations === undefined || events === undefined ? undefined : { operations, events };
}

/**
 * An operation on a tenant. Without an {@link OperationStore}, the operation runs in the same way, but is not stored.
 */
export interface LifecycleOperation {
  /** Undefined if the operation is not stored. */
  readonly id: string | undefined;
  /** Stores a step. */
  readonly report: ReportStep;
  /** Runs a step, and stores its start and its end or failure. @throws what `work` throws. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Stores how far the work has progressed, so that a process that resumes the operation continues there. */
  reached(position: string): Promise<void>;
  /** Replaces the stored input, which a process that resumes the operation reads. */
  keep(input: JsonObject): Promise<void>;
  /** Finishes the operation. */
  finish(status: "succeeded" | "failed", error?: string): Promise<void>;
}

/** The initial data of an operation. */
interface NewOperation {
  readonly kind: OperationKind;
  readonly tenantId: string;
  readonly status?: "pending" | "running";
  readonly input?: JsonObject;
}

/** Stores a new operation, if the adapter stores operations. */
export async function beginOperation(installation: Installation, operation: NewOperation): Promise<LifecycleOperation> {
  const store = operationStore(installation);
  const { kind, tenantId, status = "running", input = {} } = operation;
  const lifecycle = kind === "provision" || kind === "deprovision";
  if (store === undefined || (lifecycle && installation.isolation?.recordProvisionOperations === false)) return unkept;
  const now = installation.now();
  const id = installation.random.record("top_");
  // The process that begins a running operation holds its lease. If the lease expires, `sweep` resumes the operation.
  const leaseUntil = status === "running" ? now + leaseTime : 0;
  const times = { created_at: now, updated_at: now, finished_at: null, expires_at: null };
  await store.operations.insert([
    { id, tenant_id: tenantId, kind, status, error: null, input, position: "", lease_until: leaseUntil, revision: 0, ...times },
  ]);
  return storedOperation(installation, store, id);
}

/** Returns a stored operation. Without a store or an id, returns an operation that is not stored. */
export function storedOperation(installation: Installation, store: OperationStore | undefined, id: string | undefined): LifecycleOperation {
  if (store === undefined || id === undefined) return unkept;
  const { operations, events } = store;
  const ends = (): number | null =>
    installation.config.logLifetime === Infinity ? null : installation.now() + installation.config.logLifetime;

  const report = async ({ name, status, detail = {} }: Parameters<ReportStep>[0]): Promise<void> => {
    const row = {
      id: installation.random.record(),
      operation_id: id,
      step: name.slice(0, 128),
      status,
      detail,
      created_at: installation.now(),
      expires_at: ends(),
    };
    await events.insert([row]);
  };

  return {
    id,
    report,
    step: (name, work) => step(report, name, work),
    async reached(position) {
      await operations.update({ id }, { set: { position, updated_at: installation.now() } });
    },
    async keep(input) {
      await operations.update({ id }, { set: { input } });
    },
    async finish(status, error) {
      const now = installation.now();
      const set = { status, error: error ?? null, updated_at: now, finished_at: now, expires_at: ends(), lease_until: 0 };
      await operations.update({ id, finished_at: null }, { set, add: { revision: 1 } });
      if (status === "failed") installation.host.logger.log({ level: "warn", event: "operation_failed", operation_id: id, error });
    },
  };
}

async function step<T>(report: ReportStep, name: string, work: () => Promise<T>): Promise<T> {
  await report({ name, status: "running" });
  try {
    const result = await work();
    await report({ name, status: "succeeded" });
    return result;
  } catch (error) {
    await report({ name, status: "failed", detail: { error: describe(error) } });
    throw error;
  }
}

/** Returns the message of an error, for callers that may read operations. */
export function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

const unkept: LifecycleOperation = {
  id: undefined,
  report: async () => {},
  step: (_, work) => work(),
  reached: async () => {},
  keep: async () => {},
  finish: async () => {},
};

/** A reported step of an operation. */
interface StepEvent {
  readonly name: string;
  readonly status: StepStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly detail: JsonObject;
}

/** Returns the steps of an operation, in the order in which they were reported. */
export async function stepsOf({ events }: OperationStore, operationId: string): Promise<readonly StepEvent[]> {
  const steps: StepEvent[] = [];
  for (;;) {
    const last = steps.length;
    const rows = await events.find({
      where: { operation_id: operationId },
      orderBy: { fields: ["operation_id", "id"], direction: "asc" },
      limit: 500,
      offset: last,
    });
    // Ids sort by time.
    for (const { step: name, status, created_at: at, detail } of rows) steps.push({ name, status: statusOf(status), at, detail });
    if (rows.length < 500) return steps;
  }
}

function statusOf(stored: string): StepStatus {
  return stored === "succeeded" || stored === "failed" ? stored : "running";
}
