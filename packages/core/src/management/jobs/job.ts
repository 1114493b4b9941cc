import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** Milliseconds after which a job expires: one day, as in Auth0. */
const lifetime = 24 * 60 * 60_000;

/** Stores a completed job. */
export async function storeJob(tenant: RequestTenant, type: string, details: JsonObject = {}): Promise<Row<"jobs">> {
  const now = tenant.now();
  const row = { id: tenant.random.record("job_"), type, status: "completed", details, created_at: now, expires_at: now + lifetime };
  await tenant.data.jobs.insert([row]);
  return row;
}

/**
 * Returns a job that has not expired.
 * @throws {PosternError} `not_found`.
 */
export async function findJob(tenant: RequestTenant, id: string): Promise<Row<"jobs">> {
  const row = await findOne(tenant.data.jobs, { id, expires_at: { gt: tenant.now() } });
  if (row === undefined) throw new PosternError("not_found", "there is no such job");
  return row;
}
