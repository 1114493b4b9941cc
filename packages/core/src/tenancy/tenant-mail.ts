import type { MailSender } from "../adapters/mail.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { Row } from "../data/schema.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { theProvider } from "../domain/email-provider.ts";
import type { Environment } from "../domain/environment.ts";
import { toEmailTemplate, type EmailTemplate } from "../model/tenant/email-templates.ts";

/** What counts for the messages of a tenant: nobody else asks where a sender, a provider or a template comes from. */
export interface TenantMail {
  /** Sends its mail; undefined where the host sends none. */
  readonly mail: MailSender | undefined;
  /** Sends its text messages; undefined where the host sends none. */
  readonly sms: SmsSender | undefined;
  /** How its mail is to be sent; undefined where the host's own way is used. */
  provider(): Promise<Row<"email_providers"> | undefined>;
  /** A mail in its own words, by the vendor's name; undefined where nobody has set it. */
  template(name: string): Promise<EmailTemplate | undefined>;
}

/** The {@link TenantMail} of a tenant. Read anew for each message: that costs less than the message. */
export function tenantMail({ mail, sms }: Pick<Environment, "mail" | "sms">, data: TenantData): TenantMail {
  return {
    mail,
    sms,
    async provider() {
      const [row] = await data.email_providers.find({ where: { id: theProvider }, limit: 1 });
      return row;
    },
    async template(name) {
      const [row] = await data.email_templates.find({ where: { template: name }, limit: 1 });
      return row && toEmailTemplate(row);
    },
  };
}
