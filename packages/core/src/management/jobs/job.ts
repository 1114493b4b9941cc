import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** Milliseconds that a job can be asked for: the vendor's day. */
const lifetime = 24 * 60 * 60_000;

/** Keeps a job that was done. */
export async function addJob(tenant: Tenant, type: string, details: JsonObject = {}): Promise<Row<"jobs">> {
  const now = tenant.now();
  const row = { id: tenant.random.record("job_"), type, status: "completed", details, created_at: now, expires_at: now + lifetime };
  await tenant.data.jobs.insert([row]);
  return row;
}

/** A job that is kept still. @throws {PosternError} `not_found` */
export async function findJob(tenant: Tenant, id: string): Promise<Row<"jobs">> {
  const [row] = await tenant.data.jobs.find({ where: { id, expires_at: { gt: tenant.now() } }, limit: 1 });
  if (row === undefined) throw new PosternError("not_found", "there is no such job");
  return row;
}
