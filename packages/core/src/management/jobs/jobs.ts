import { PosternError } from "../../errors.ts";
import { Reply, type FurtherScopes } from "../../http/route.ts";
import { mailVerificationLink } from "../../messages/links.ts";
import { canMail } from "../../messages/send.ts";
import { importErrorsSchema, jobDetails } from "../../model/jobs/job-details.ts";
import { createExportJobSchema, createImportJobSchema, createVerificationJobSchema, jobSchema, toJob } from "../../model/jobs/jobs.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { exportUrl } from "../../tenants/export-url.ts";
import { findVerifiableUser, linkContext } from "../tickets/link-target.ts";
import { importIntoConnection } from "../users/import.ts";
import { storeJob, findJob } from "./job.ts";

const missing = { 404: { error: "not_found" } } as const;

const upserts = { scopes: ["update:users"], when: "if `upsert` is true" } as const satisfies FurtherScopes;

/** The routes for jobs. Every job is completed when its response is sent. */
export const jobRoutes = [
  route({
    method: "POST",
    path: "/api/v2/jobs/verification-email",
    summary: "Send a user a link to verify the email address",
    scopes: ["update:users"],
    body: createVerificationJobSchema,
    responses: {
      201: jobSchema,
      404: "inexistent_user",
      429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many messages were sent to the email address" },
    },
  })(async ({ body }, { tenant }) => {
    if (!canMail(tenant))
      throw new PosternError("invalid_request", "this installation cannot send email", { errorCode: "operation_not_supported" });
    const [user, about] = await Promise.all([findVerifiableUser(tenant, body), linkContext(tenant, body)]);
    const refusal = await mailVerificationLink(tenant, { user, ...about, isManagement: true });
    if (refusal !== undefined) throw refusal;
    return toJob(await storeJob(tenant, "verification_email"));
  }),
  route({
    method: "POST",
    path: "/api/v2/jobs/users-imports",
    summary: "Import users",
    description:
      "The file is a JSON array of users in `multipart/form-data`. It must not exceed the maximum request size. Password hashes from other systems are stored unchanged and replaced when the users sign in. " +
      "The import is complete when the response arrives. If no response arrives, send the same file again.",
    scopes: ["create:users"],
    furtherScopes: [upserts],
    bodyKind: "multipart",
    body: createImportJobSchema,
    responses: { 202: jobSchema, 400: "inexistent_connection" },
  })(async ({ body }, context) => {
    const { tenant } = context;
    const { users, connection_id: connectionId, upsert = false, external_id: externalId } = body;
    // A caller who may only create users must not update existing users.
    if (upsert) requireScopes(context, upserts);
    const { summary, errors } = await importIntoConnection(tenant, { connectionId, upsert }, users);
    const parameters = { connection_id: connectionId, ...(externalId !== undefined && { external_id: externalId }) };
    return toJob(await storeJob(tenant, "users_import", { ...parameters, summary, errors }));
  }),
  route({
    method: "POST",
    path: "/api/v2/jobs/users-exports",
    summary: "Export users",
    description:
      "`GET /api/v2/jobs/{id}` returns the URL of the export. The file is generated when it is downloaded. It is a gzipped file of primary users, with their linked accounts in `identities`.",
    scopes: ["read:users"],
    body: createExportJobSchema,
    responses: { 200: jobSchema, 400: "inexistent_connection" },
  })(async ({ body }, { tenant }) => {
    const { connection_id: connectionId } = body;
    if (connectionId !== undefined && (await tenant.connections.byId(connectionId)) === undefined)
      throw new PosternError("invalid_request", "body: 'connection_id' is not a connection", { errorCode: "inexistent_connection" });
    return toJob(await storeJob(tenant, "users_export", { format: "csv", ...body }));
  }),
  route({
    method: "GET",
    path: "/api/v2/jobs/:id",
    summary: "Get a job",
    description: "Jobs are stored for a day. The response contains the URL of an export only if the token has a scope that reads users.",
    scopes: ["create:users", "read:users"],
    responses: { 200: jobSchema, ...missing },
  })(async ({ params }, { tenant, caller }) => {
    const row = await findJob(tenant, params.id);
    const fetched = row.type === "users_export" && caller.scopes.has("read:users");
    return toJob(row, fetched ? await exportUrl(tenant, row.id) : undefined);
  }),
  route({
    method: "GET",
    path: "/api/v2/jobs/:id/errors",
    operation: "jobs.errors.list",
    summary: "List the users that an import rejected",
    description: "Returns 204 if no user was rejected. At most 500 rejected users are stored; `summary.failed` of the job counts all.",
    scopes: ["create:users", "read:users"],
    responses: { 200: importErrorsSchema, 204: null, ...missing },
  })(async ({ params }, { tenant }) => {
    const { errors = [] } = jobDetails(await findJob(tenant, params.id));
    return errors.length === 0 ? new Reply(undefined, { status: 204 }) : errors;
  }),
];
