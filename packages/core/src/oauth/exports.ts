import * as z from "zod";
import { exportUsers } from "../identity/users/export/export-users.ts";
import { PosternError } from "../errors.ts";
import { jobDetails } from "../model/jobs/job-details.ts";
import { route } from "../tenants/callers/route-context.ts";
import { isExportTicket } from "../tenants/export-url.ts";
import { findOne } from "../store/find-one.ts";

/** Returns the file of an export, which is created during the download. */
export const usersExport = route({
  method: "GET",
  path: "/exports/:id",
  summary: "Download an export of users",
  description: "The URL in `location` of the job. It requires no token: the ticket in the URL grants access for a day.",
  scopes: "public",
  tenantHints: ["ticket"],
  query: z.looseObject({ ticket: z.string().max(300) }),
  responses: { 200: { text: "a gzipped file: JSON with one user per line, or CSV" }, 404: { error: "not_found" } },
})(async ({ params, query }, { tenant }) => {
  const { data } = tenant;
  // A wrong ticket causes the same error as an unknown job, so that the error does not reveal which jobs exist.
  const missing = (): PosternError => new PosternError("not_found", "there is no such export");
  if (!(await isExportTicket(tenant, params.id, query.ticket))) throw missing();
  const where = { id: params.id, expires_at: { gt: tenant.now() } };
  const job = await findOne(data.jobs, where);
  if (job?.type !== "users_export") throw missing();
  const { format = "csv", connection_id: connectionId, limit, fields } = jobDetails(job);
  const connection = connectionId === undefined ? undefined : await tenant.connections.byId(connectionId);
  if (connectionId !== undefined && connection === undefined) throw missing();
  const parts = exportUsers(data, { format, connection: connection?.name, limit, fields });
  return new Response(toStream(parts).pipeThrough(new CompressionStream("gzip")), {
    headers: {
      "content-type": "application/gzip",
      "content-disposition": `attachment; filename="${job.id}.${format}.gz"`,
      "cache-control": "no-store",
    },
  });
});

function toStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await parts.return(undefined)),
  });
}
