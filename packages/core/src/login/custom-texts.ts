import type { Row } from "../store/schema.ts";
import type { MessageKey } from "../locales/messages.ts";
import type { Translate } from "../locales/translate.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import type { CustomPageTexts } from "../model/prompts/custom-texts.ts";
import { textTags } from "../model/prompts/text-tags.ts";
import { fillPlaceholders } from "../model/prompts/placeholders.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** Whose page it is, and who looks at it. */
interface Shown {
  /** Names the page. Left out: it has no texts of a tenant's own. */
  readonly name?: string | undefined;
  readonly client?: Client | undefined;
  readonly organization?: Row<"organizations"> | undefined;
}

/** What a page says, in the tenant's own words where it has some. Of those of a region and those of its language the region's count. */
export async function applyCustomTexts(tenant: Tenant, say: Translate, { name, client, organization }: Shown): Promise<Translate> {
  if (name === undefined) return say;
  const found = await Promise.all(textTags(say.lang).map((tag) => tenant.ownTexts(tag)));
  const texts: CustomPageTexts = new Map(found.flatMap((each) => [...(each.get(name) ?? [])]));
  return texts.size === 0
    ? say
    : withCustomTexts(say, texts, {
        tenant: tenantNameOf(tenant),
        client: client?.record.name,
        organization: organization && organizationLook(organization).name,
      });
}

/** Says texts in place of ours. One that names what its page does not know is said in our words. */
export function withCustomTexts(say: Translate, texts: CustomPageTexts, known: { readonly [name: string]: string | undefined }): Translate {
  const own = <Value>(key: MessageKey, values: { readonly [name: string]: Value } = {}): (string | Value)[] | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : fillPlaceholders<Value>(text, { ...known, ...values });
  };
  return {
    ...say,
    text: (key, ...values) => own(key, values[0])?.join("") ?? say.text(key, ...values),
    pieces: (key, ...values) => own(key, values[0]) ?? say.pieces(key, ...values),
  };
}
