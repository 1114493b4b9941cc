import type { DataContext } from "../context.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import type { JsonObject } from "../store/value.ts";
import { openCredentials, theProvider } from "./email-provider.ts";
import { toEmailTemplate, type EmailTemplate } from "../model/tenant/email-templates.ts";
import type { InheritedTenant } from "./inherit/inherited-tenant.ts";

/** How a tenant's mail is sent. */
export interface ProviderOfMail {
  /** Whose it is: the tenant's own, or that of the tenant it inherits from. */
  readonly tenantId: string;
  readonly record: Row<"email_providers">;
  /** Its secret credentials. @throws where no key of the ring opens them. */
  open(): Promise<JsonObject>;
}

/** A mail in somebody's own words. */
export interface TemplateOfMail {
  /** Whose words: the tenant's own, or those of the tenant it inherits from. */
  readonly tenantId: string;
  readonly template: EmailTemplate;
}

/** What counts for the messages of a tenant: nobody else asks where a sender, a provider or a template comes from. */
export interface TenantMail {
  /** Sends its mail; undefined where the host sends none. */
  readonly mail: MailSender | undefined;
  /** Sends its text messages; undefined where the host sends none. */
  readonly sms: SmsSender | undefined;
  /** How its mail is to be sent; undefined where the host's own way is used. One that is inherited is inherited whole, and one of the tenant's own ends that, also where it is off. */
  provider(): Promise<ProviderOfMail | undefined>;
  /** A mail in its own words, by the vendor's name; undefined where nobody has set it. Each is inherited by itself. */
  template(name: string): Promise<TemplateOfMail | undefined>;
}

/** The {@link TenantMail} of a tenant. Read anew for each message: that costs less than the message. */
export function tenantMail(context: DataContext, inherited: () => Promise<InheritedTenant | undefined>): TenantMail {
  /** What is found in the tenant's own data, else in that of the tenant it inherits from. */
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
        const [record] = await data.email_providers.find({ where: { id: theProvider }, limit: 1 });
        return record && { tenantId: data.tenantId, record, open: () => openCredentials(context, data, record) };
      }),
    template: (name) =>
      ownFirst(async (data) => {
        const [row] = await data.email_templates.find({ where: { template: name }, limit: 1 });
        return row && { tenantId: data.tenantId, template: toEmailTemplate(row) };
      }),
  };
}
