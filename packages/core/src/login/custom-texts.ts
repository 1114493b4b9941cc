import type { Row } from "../store/schema.ts";
import type { MessageKey } from "../locales/messages.ts";
import type { Translate } from "../locales/translate.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import { clientNameOf } from "../branding/client-name.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import type { CustomPageTexts } from "../model/prompts/custom-texts.ts";
import { textTags } from "../model/prompts/text-tags.ts";
import { fillPlaceholders } from "../model/prompts/placeholders.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The page that the texts belong to, with its client and organization. */
interface Shown {
  /** The name of the page. Omitted if the page cannot have custom texts. */
  readonly name?: string | undefined;
  readonly client?: RegisteredClient | undefined;
  readonly organization?: Row<"organizations"> | undefined;
}

/**
 * Replaces the default texts of a page by the tenant's custom texts. Texts for a region take precedence over texts for
 * its language.
 */
export async function applyCustomTexts(tenant: RequestTenant, t: Translate, { name, client, organization }: Shown): Promise<Translate> {
  if (name === undefined) return t;
  const found = await Promise.all(textTags(t.lang).map((tag) => tenant.customTexts(tag)));
  const texts: CustomPageTexts = new Map(found.flatMap((each) => [...(each.get(name) ?? [])]));
  return texts.size === 0
    ? t
    : withCustomTexts(t, texts, {
        tenant: tenantNameOf(tenant),
        client: client && clientNameOf(client),
        organization: organization && organizationLook(organization).name,
      });
}

/** Replaces default texts by custom texts. Ignores a custom text with a placeholder for which the page has no value. */
export function withCustomTexts(t: Translate, texts: CustomPageTexts, known: { readonly [name: string]: string | undefined }): Translate {
  const own = <Value>(key: MessageKey, values: { readonly [name: string]: Value } = {}): (string | Value)[] | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : fillPlaceholders<Value>(text, { ...known, ...values });
  };
  return {
    ...t,
    text: (key, ...values) => own(key, values[0])?.join("") ?? t.text(key, ...values),
    pieces: (key, ...values) => own(key, values[0]) ?? t.pieces(key, ...values),
  };
}
