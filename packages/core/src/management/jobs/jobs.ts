import { PosternError } from "../../errors.ts";
import { mailVerificationLink } from "../../mail/links.ts";
import { canMail } from "../../mail/send.ts";
import { CreateVerificationJob, Job, toJob } from "../../model/jobs/jobs.ts";
import { route } from "../../tenancy/context.ts";
import { findVerifiable, linkContext } from "../tickets/link-target.ts";

/** Milliseconds that a job can be asked for: the vendor's day. */
const lifetime = 24 * 60 * 60_000;

/** What is done beside the answer. */
export const jobs = [
  route({
    method: "POST",
    path: "/api/v2/jobs/verification-email",
    summary: "Send a person a link to verify their e-mail address",
    scopes: ["update:users"],
    body: CreateVerificationJob,
    responses: { 201: Job, 404: "inexistent_user" },
  })(async ({ body }, { tenant }) => {
    const { clock, ids } = tenant.environment;
    if (!canMail(tenant))
      throw new PosternError("invalid_request", "this installation sends no mail", { errorCode: "operation_not_supported" });
    const [user, about] = await Promise.all([findVerifiable(tenant, body), linkContext(tenant, body)]);
    await mailVerificationLink(tenant, { user, ...about });
    const now = clock.now();
    const row = { id: ids.record("job_"), type: "verification_email", status: "completed", created_at: now, expires_at: now + lifetime };
    await tenant.data.jobs.insert([row]);
    return toJob(row);
  }),
  route({
    method: "GET",
    path: "/api/v2/jobs/:id",
    summary: "Get a job",
    description: "Jobs are kept for a day.",
    scopes: ["create:users", "read:users"],
    responses: { 200: Job, 404: { error: "not_found" } },
  })(async ({ params }, { tenant }) => {
    const [row] = await tenant.data.jobs.find({ where: { id: params.id, expires_at: { gt: tenant.environment.clock.now() } }, limit: 1 });
    if (row === undefined) throw new PosternError("not_found", "there is no such job");
    return toJob(row);
  }),
];
