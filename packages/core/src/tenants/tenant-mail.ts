import type * as z from "zod";
import type { DataContext } from "../context.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { SmsSender } from "../adapters/sms.ts";
import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import type { JsonObject } from "../store/value.ts";
import { openCredentials, emailProviderId } from "./email-provider.ts";
import { toEmailTemplate, type emailTemplateSchema } from "../model/tenant/email-templates.ts";
import type { InheritedTenant } from "./inherit/inherited-tenant.ts";

/** The email provider of a tenant. */
export interface ProviderOfMail {
  /** The tenant that the provider belongs to: this tenant, or the one that it inherits from. */
  readonly tenantId: string;
  readonly record: Row<"email_providers">;
  /** Decrypts the credentials. @throws if no key in the key ring can decrypt them. */
  open(): Promise<JsonObject>;
}

/** A custom email template. */
export interface TemplateOfMail {
  /** The tenant that the template belongs to: this tenant, or the one that it inherits from. */
  readonly tenantId: string;
  readonly template: z.infer<typeof emailTemplateSchema>;
}

/** The senders, the provider and the templates of a tenant's messages, with inheritance applied. */
export interface TenantMail {
  /** Sends mail; undefined if the host application passes no mail sender. */
  readonly mail: MailSender | undefined;
  /** Sends text messages; undefined if the host application passes no SMS sender. */
  readonly sms: SmsSender | undefined;
  /**
   * Returns the tenant's email provider; undefined if mail is sent by the host application's sender. A provider is
   * inherited as a whole. A tenant-specific provider replaces the inherited one, even if it is disabled.
   */
  provider(): Promise<ProviderOfMail | undefined>;
  /**
   * Returns a custom email template by Auth0's name; undefined if it does not exist. Templates are inherited one by
   * one.
   */
  template(name: string): Promise<TemplateOfMail | undefined>;
}

/**
 * Creates the {@link TenantMail} of a tenant. Reads the data for each message without a cache, because a query costs
 * less than sending the message.
 */
export function tenantMail(context: DataContext, inherited: () => Promise<InheritedTenant | undefined>): TenantMail {
  /** Searches the data of the tenant, then that of the tenant it inherits from. */
  const ownFirst = async <T>(find: (data: TenantData) => Promise<T | undefined>): Promise<T | undefined> => {
    const found = await find(context.data);
    if (found !== undefined) return found;
    const source = await inherited();
    return source && find(source.own.data);
  };
  return {
    mail: context.host.mail,
    sms: context.host.sms,
    provider: () =>
      ownFirst(async (data) => {
        const record = await findOne(data.email_providers, { id: emailProviderId });
        return record && { tenantId: data.tenantId, record, open: () => openCredentials(context, data, record) };
      }),
    template: (name) =>
      ownFirst(async (data) => {
        const row = await findOne(data.email_templates, { template: name });
        return row && { tenantId: data.tenantId, template: toEmailTemplate(row) };
      }),
  };
}
