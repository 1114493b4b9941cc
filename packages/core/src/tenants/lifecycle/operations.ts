import type { ReportStep, StepStatus } from "../../adapters/tenant-hooks.ts";
import type { Collection } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import type { Installation } from "../installation.ts";
import { leaseTime } from "./lease.ts";

/** What is done to tenants. */
export const operationKinds = ["provision", "update", "upgrade", "deprovision", "sync"] as const;
export type OperationKind = (typeof operationKinds)[number];

/** How far an operation is. */
export const operationStatuses = ["pending", "running", "succeeded", "failed"] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** The two optional collections, where the adapter has both. */
export interface OperationStore {
  readonly operations: Collection<Row<"tenant_operations">>;
  readonly events: Collection<Row<"tenant_operation_events">>;
}

/** Where operations are kept; undefined where the adapter leaves them out. */
export function operationStore({ collections }: Pick<Installation, "collections">): OperationStore | undefined {
  const { tenant_operations: operations, tenant_operation_events: events } = collections;
  return operations === undefined || events === undefined ? undefined : { operations, events };
}

/** Something that is being done to a tenant. Where operations are not kept, the same is done and nothing is on record. */
export interface Operation {
  /** Undefined where it is not kept. */
  readonly id: string | undefined;
  /** Puts a step on record. */
  readonly report: ReportStep;
  /** Does a step: its begin, and its end or its failure, are on record. @throws what `work` throws. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Keeps how far it came, so that whoever takes it up goes on there. */
  reached(position: string): Promise<void>;
  /** Keeps what whoever comes later needs to know of it, in place of what it began with. */
  keep(input: JsonObject): Promise<void>;
  /** Ends it. */
  finish(status: "succeeded" | "failed", error?: string): Promise<void>;
}

/** What an operation begins with. */
export interface NewOperation {
  readonly kind: OperationKind;
  readonly tenantId: string;
  readonly status?: "pending" | "running";
  readonly input?: JsonObject;
}

/** Puts a new operation on record, where operations are kept. */
export async function beginOperation(installation: Installation, operation: NewOperation): Promise<Operation> {
  const store = operationStore(installation);
  const { kind, tenantId, status = "running", input = {} } = operation;
  const lifecycle = kind === "provision" || kind === "deprovision";
  if (store === undefined || (lifecycle && installation.isolation?.recordProvisionOperations === false)) return unkept;
  const now = installation.now();
  const id = installation.random.record("top_");
  // Whoever begins it is at it; `sweep` looks after it when they should be done.
  const leaseUntil = status === "running" ? now + leaseTime : 0;
  const times = { created_at: now, updated_at: now, finished_at: null, expires_at: null };
  await store.operations.insert([
    { id, tenant_id: tenantId, kind, status, error: null, input, position: "", lease_until: leaseUntil, revision: 0, ...times },
  ]);
  return storedOperation(installation, store, id);
}

/** An operation that is on record; without a store or an id, one that is not. */
export function storedOperation(installation: Installation, store: OperationStore | undefined, id: string | undefined): Operation {
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

/** What went wrong, for those who may read operations. */
export function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

const unkept: Operation = {
  id: undefined,
  report: async () => {},
  step: (_, work) => work(),
  reached: async () => {},
  keep: async () => {},
  finish: async () => {},
};

/** One step of an operation, as it was reported. */
export interface StepEvent {
  readonly name: string;
  readonly status: StepStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly detail: JsonObject;
}

/** The steps of an operation, in the order in which they were reported. */
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
