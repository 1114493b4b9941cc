import type { Row } from "../../data/schema.ts";
import { isPosternError } from "../../errors.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { clearTenant } from "./clear-tenant.ts";
import { withLease } from "./lease.ts";
import { keptOperation, operationStore, type Operation } from "./operations.ts";
import { runOperation } from "./run-operation.ts";

/** Tenants and operations of one step. */
const page = 50;

/**
 * Finishes what lost processes left: tenants that were being made are undone, tenants that were being removed are removed, operations go on, and hooks that failed are told again.
 * @returns whether nothing is left that could be finished now.
 */
export async function finishLifecycles(installation: Installation): Promise<boolean> {
  const { collections, environment } = installation;
  const abandoned = { lease_until: { lte: environment.clock.now() } };
  const [half, going] = await Promise.all([
    collections.tenants.find({ where: { ready_at: null, deleting_at: null, ...abandoned }, limit: page }),
    collections.tenants.find({ where: { deleting_at: { exists: true }, ...abandoned }, limit: page }),
  ]);
  let finished = half.length < page && going.length < page;
  for (const row of [...half, ...going]) finished = (await finishRemoval(installation, row)) && finished;
  return (await finishOperations(installation)) && finished;
}

async function finishRemoval(installation: Installation, { id }: Row<"tenants">): Promise<boolean> {
  const { collections, environment } = installation;
  try {
    await withLease(environment, collections.tenants, { id }, async (lease) => {
      await collections.tenants.update({ id, ready_at: null, deleting_at: null }, { set: { deleting_at: environment.clock.now() } });
      forgetTenant(installation, id);
      await clearTenant(installation, id, await operationOn(installation, id), lease);
    });
    return true;
  } catch (error) {
    // Another process has it.
    if (isPosternError(error) && error.code === "conflict") return true;
    environment.logger.log({ level: "error", event: "tenant_not_cleared", tenant_id: id, error });
    return false;
  }
}

/** The operation that a removal belongs to, so that its steps are on record there. */
async function operationOn(installation: Installation, tenantId: string): Promise<Operation> {
  const store = operationStore(installation);
  const [row] =
    (await store?.operations.find({
      where: { tenant_id: tenantId, kind: { in: ["provision", "deprovision"] }, finished_at: null },
      orderBy: { fields: ["tenant_id", "created_at", "id"], direction: "desc" },
      limit: 1,
    })) ?? [];
  return keptOperation(installation, store, row?.id);
}

async function finishOperations(installation: Installation): Promise<boolean> {
  const store = operationStore(installation);
  if (store === undefined) return true;
  const where = { status: { in: ["pending", "running"] }, lease_until: { lte: installation.environment.clock.now() } };
  const rows = await store.operations.find({ where, limit: page, fields: ["id"] });
  for (const { id } of rows) await runOperation(installation, id);
  return rows.length < page;
}
