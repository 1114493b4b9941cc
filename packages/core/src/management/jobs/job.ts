import type { Row } from "../../data/schema.ts";
import type { JsonObject } from "../../data/value.ts";
import { PosternError } from "../../errors.ts";
import type { Tenant } from "../../tenancy/tenant.ts";

/** Milliseconds that a job can be asked for: the vendor's day. */
const lifetime = 24 * 60 * 60_000;

/** Keeps a job that was done. */
export async function addJob({ data, environment }: Tenant, type: string, details: JsonObject = {}): Promise<Row<"jobs">> {
  const now = environment.clock.now();
  const row = { id: environment.ids.record("job_"), type, status: "completed", details, created_at: now, expires_at: now + lifetime };
  await data.jobs.insert([row]);
  return row;
}

/** A job that is kept still. @throws {PosternError} `not_found` */
export async function findJob({ data, environment }: Tenant, id: string): Promise<Row<"jobs">> {
  const [row] = await data.jobs.find({ where: { id, expires_at: { gt: environment.clock.now() } }, limit: 1 });
  if (row === undefined) throw new PosternError("not_found", "there is no such job");
  return row;
}
