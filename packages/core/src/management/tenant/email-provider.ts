import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { openCredentials, sealCredentials, emailProviderId } from "../../tenants/email-provider.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema } from "../../http/pagination.ts";
import {
  checkCredentialsStay,
  createEmailProviderSchema,
  emailProviderSchema,
  splitCredentials,
  toEmailProvider,
  updateEmailProviderSchema,
} from "../../model/tenant/email-provider.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

const path = "/api/v2/emails/provider";
const missing = { 404: "inexistent_email_provider" } as const;
const where = { id: emailProviderId };

/**
 * The routes for the tenant's email provider. The email sender of the host application receives the provider's name,
 * credentials and settings with each email.
 */
export const emailProvider = [
  route({
    method: "GET",
    path,
    summary: "Get the email provider",
    scopes: ["read:email_provider"],
    query: listFieldSelectionSchema,
    responses: { 200: emailProviderSchema, ...missing },
  })(async (_, { tenant }) => {
    const row = await findOne(tenant.data.email_providers, where);
    if (row === undefined) throw noProvider();
    return toEmailProvider(row);
  }),
  route({
    method: "POST",
    path,
    summary: "Create the email provider",
    description:
      "The email sender of the host application receives the provider with each email. If `enabled` is false, the tenant sends no email.",
    scopes: ["create:email_provider"],
    body: createEmailProviderSchema,
    responses: { 201: emailProviderSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const { data } = tenant;
    const now = tenant.now();
    const { account, secrets } = splitCredentials(body.credentials);
    const row: Row<"email_providers"> = {
      id: emailProviderId,
      name: body.name,
      enabled: body.enabled,
      default_from_address: body.default_from_address ?? "",
      account,
      ...(await sealCredentials(tenant, secrets)),
      settings: body.settings ?? {},
      revision: 0,
      created_at: now,
      updated_at: now,
    };
    if (!(await data.email_providers.insert([row])))
      throw new PosternError("conflict", "the tenant already has an email provider; update it instead");
    return toEmailProvider(row);
  }),
  route({
    method: "PATCH",
    path,
    summary: "Update the email provider",
    description:
      "Omitted members stay unchanged, including individual credentials. If `name` changes, the credentials in the body replace all stored credentials. A request that changes where stored secrets are sent (`smtp_host`, `smtp_port`, `region`, `domain`, `tenantId` or the `settings` of a `custom` provider) must contain the secrets.",
    scopes: ["update:email_provider"],
    body: updateEmailProviderSchema,
    responses: { 200: emailProviderSchema, ...missing, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const changed = await changeRow(tenant.data.email_providers, where, (row) => toChange(tenant, row, body));
    return toEmailProvider(requireRow(changed, "provider", noProvider));
  }),
  route({
    method: "DELETE",
    path,
    summary: "Delete the email provider",
    description:
      "Emails are then sent with the default provider of the host application. Returns 204 even if there is no provider, so that a call can be retried.",
    scopes: ["delete:email_provider"],
    responses: { 204: null },
  })(async (_, { tenant }) => {
    await tenant.data.email_providers.delete(where);
  }),
];

async function toChange(
  tenant: RequestTenant,
  row: Row<"email_providers">,
  { credentials = {}, ...body }: z.infer<typeof updateEmailProviderSchema>,
): Promise<Partial<Row<"email_providers">>> {
  const isAnother = body.name !== undefined && body.name !== row.name;
  const { account, secrets } = splitCredentials(credentials);
  const stays = !isAnother && Object.keys(secrets).length === 0;
  const mayMove = Object.keys(credentials).length > 0 || body.settings !== undefined;
  const before = isAnother || !mayMove ? {} : await openCredentials(tenant, tenant.data, row);
  const settings = body.settings === undefined ? row.settings : (body.settings ?? {});
  if (!isAnother && mayMove) {
    const stored = { credentials: { ...row.account, ...before }, settings: row.settings };
    checkCredentialsStay(row.name, stored, { credentials: { ...stored.credentials, ...credentials }, settings }, credentials);
  }
  return {
    name: body.name ?? row.name,
    enabled: body.enabled ?? row.enabled,
    default_from_address: body.default_from_address === undefined ? row.default_from_address : (body.default_from_address ?? ""),
    account: isAnother ? account : { ...row.account, ...account },
    ...(!stays && (await sealCredentials(tenant, { ...before, ...secrets }))),
    settings,
    updated_at: tenant.now(),
  };
}

function noProvider(): PosternError {
  return new PosternError("not_found", "the tenant has no email provider", { errorCode: "inexistent_email_provider" });
}
