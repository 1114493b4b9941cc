import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import {
  emailTemplateSchema,
  fromEmailTemplate,
  setEmailTemplateSchema,
  toEmailTemplate,
  updateEmailTemplateSchema,
} from "../../model/tenant/email-templates.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireTemplates } from "../kit/templates.ts";

const path = "/api/v2/email-templates";
const missing = { 404: "inexistent_email_template" } as const;

/**
 * The routes for custom email templates. If a template was never set, requests for it return 404 and the built-in email
 * is sent.
 */
export const emailTemplateRoutes = [
  route({
    method: "POST",
    path,
    summary: "Create an email template",
    scopes: ["create:email_templates"],
    body: setEmailTemplateSchema,
    responses: { 200: emailTemplateSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    await requireTemplates({ body: body.body, subject: body.subject, from: body.from });
    const now = tenant.now();
    const row = { template: body.template, settings: fromEmailTemplate({}, body), revision: 0, created_at: now, updated_at: now };
    if (!(await tenant.data.email_templates.insert([row])))
      throw new PosternError("conflict", "this template already exists; update it instead");
    return toEmailTemplate(row);
  }),
  route({
    method: "GET",
    path: `${path}/:templateName`,
    summary: "Get an email template",
    scopes: ["read:email_templates"],
    responses: { 200: emailTemplateSchema, ...missing },
  })(async ({ params }, { tenant }) => {
    const row = await findOne(tenant.data.email_templates, { template: params.templateName });
    if (row === undefined) throw noTemplate();
    return toEmailTemplate(row);
  }),
  route({
    method: "PATCH",
    path: `${path}/:templateName`,
    summary: "Update an email template",
    description: "Omitted members stay unchanged.",
    scopes: ["update:email_templates"],
    body: updateEmailTemplateSchema,
    responses: { 200: emailTemplateSchema, ...missing, 409: { error: "conflict" } },
  })(({ params, body }, { tenant }) => change(tenant, params.templateName, body, (stored) => fromEmailTemplate(stored, body))),
  route({
    method: "PUT",
    path: `${path}/:templateName`,
    summary: "Replace an email template",
    scopes: ["update:email_templates"],
    body: setEmailTemplateSchema,
    responses: { 200: emailTemplateSchema, ...missing, 409: { error: "conflict" } },
  })(({ params, body }, { tenant }) => change(tenant, params.templateName, body, () => fromEmailTemplate({}, body))),
];

async function change(
  tenant: RequestTenant,
  name: string,
  body: z.infer<typeof updateEmailTemplateSchema>,
  toSettings: (stored: JsonObject) => JsonObject,
): Promise<z.infer<typeof emailTemplateSchema>> {
  if (body.template !== undefined && body.template !== name) throw invalidBody("'template' does not match the template in the path");
  await requireTemplates({ body: body.body, subject: body.subject, from: body.from });
  const changed = await changeRow(tenant.data.email_templates, { template: name }, ({ settings }) => ({
    settings: toSettings(settings),
    updated_at: tenant.now(),
  }));
  return toEmailTemplate(requireRow(changed, "template", noTemplate));
}

function noTemplate(): PosternError {
  return new PosternError("not_found", "this template does not exist", { errorCode: "inexistent_email_template" });
}
