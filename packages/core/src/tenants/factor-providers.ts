import { sealOf } from "../crypto/seal.ts";
import type { DataContext } from "../context.ts";
import { changeProvider, type FactorProviderName } from "../model/factors/providers.ts";
import { mergeSettings } from "../model/settings.ts";
import { changeRow, lostRace } from "../store/change-row.ts";
import type { Row } from "../store/schema.ts";
import { sealedPlaceOf } from "../store/sealed.ts";
import type { JsonObject } from "../store/value.ts";

type ProviderRow = Row<"factor_providers">;

/** Returns the settings of a service that sends codes or notifications, without its secrets. Empty if there are none. */
export async function findFactorProvider(
  { data }: DataContext,
  name: FactorProviderName,
): Promise<Pick<ProviderRow, "settings" | "secrets">> {
  const [row] = await data.factor_providers.find({ where: { id: name }, limit: 1 });
  return row ?? { settings: {}, secrets: {} };
}

/**
 * Creates or changes the settings of a service. Encrypts each secret in the body and leaves the other secrets unchanged.
 * Does not decrypt stored secrets, so a secret can be replaced even if no key can decrypt the old one.
 * @param replace whether settings that the body does not contain are removed. Secrets stay in both cases.
 * @throws {PosternError} `invalid_request` if the change affects where a stored secret is sent and the body does not
 * contain the secret; `conflict` if concurrent requests keep changing the settings.
 */
export async function changeFactorProvider(
  context: DataContext,
  name: FactorProviderName,
  body: JsonObject,
  replace: boolean,
): Promise<Pick<ProviderRow, "settings" | "secrets">> {
  const { factor_providers: providers } = context.data;
  const change = async (row: Pick<ProviderRow, "settings" | "secrets">): Promise<Partial<ProviderRow>> => {
    const { settings, secrets } = changeProvider(name, row, body, replace);
    return { settings, ...(await sealSecrets(context, name, row.secrets, secrets)), updated_at: context.now() };
  };
  const changed = await changeRow(providers, { id: name }, change);
  if (changed.outcome === "changed") return changed.row;
  const now = context.now();
  const empty: ProviderRow = { id: name, settings: {}, secrets: {}, seal: "", revision: 0, created_at: now, updated_at: now };
  const created = { ...empty, ...(await change(empty)) };
  // If a concurrent request has just created the row, the caller must retry.
  if (changed.outcome === "absent" && (await providers.insert([created]))) return created;
  throw lostRace("provider");
}

/** @param sent the submitted secrets by name; `null` removes a secret. */
async function sealSecrets(
  context: DataContext,
  name: FactorProviderName,
  stored: JsonObject,
  sent: JsonObject,
): Promise<Pick<ProviderRow, "secrets" | "seal">> {
  const sealed = await Promise.all(
    Object.entries(sent).map(async ([member, secret]): Promise<[string, string | null]> => {
      const place = sealedPlaceOf("factor_providers", context.data.tenantId, name, member);
      return [member, secret === null ? null : await context.secrets.sealer.seal(place, JSON.stringify(secret))];
    }),
  );
  const secrets = mergeSettings(stored, Object.fromEntries(sealed));
  return { secrets, seal: sealOf(context, Object.values(secrets).map(String)) };
}
