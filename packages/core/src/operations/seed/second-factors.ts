import * as z from "zod";
import { parseInput } from "../../http/validation.ts";
import { tenantFactorSchema } from "../../model/factors/factor-types.ts";
import type { TenantApi } from "../in-process/api.ts";
import { reconcile, type SeedProgress } from "./reconcile.ts";
import type { SeedSecondFactors } from "./seed.ts";

/** A factor in the seed of a caller whose code is not type-checked. */
const namedFactorSchema = z.object({ name: tenantFactorSchema });

/** The settings of second factors in one object, named as in a {@link SeedSecondFactors}. */
type SecondFactorSettings = Omit<SeedSecondFactors, "sync">;

/**
 * Sets the second factors of a new tenant, or compares those of an existing tenant with the seed. Factors are enabled
 * before the policies that require them.
 */
export async function seedSecondFactors(
  api: TenantApi,
  progress: SeedProgress,
  { sync = false, ...fields }: SeedSecondFactors,
  isNewTenant: boolean,
): Promise<void> {
  const { guardian } = api;
  const read = async (): Promise<SecondFactorSettings> => ({
    factors: Object.fromEntries((await guardian.factors.list()).map(({ name, enabled }) => [name, enabled])),
    phoneMessageTypes: (await guardian.factors.phone.messageTypes.get()).message_types,
    policies: await guardian.policies.list(),
  });
  const write = async ({ factors = {}, phoneMessageTypes, policies }: SecondFactorSettings): Promise<SecondFactorSettings> => {
    for (const [given, enabled] of Object.entries(factors)) {
      const { name } = await parseInput(namedFactorSchema, { name: given }, "path");
      await guardian.factors.replace(name, { enabled });
    }
    if (phoneMessageTypes !== undefined) await guardian.factors.phone.messageTypes.replace({ message_types: [...phoneMessageTypes] });
    if (policies !== undefined) await guardian.policies.replace([...policies]);
    return read();
  };
  await reconcile<SecondFactorSettings>(progress, {
    subject: "second factors",
    fields,
    sync,
    find: async () => (isNewTenant ? undefined : read()),
    create: () => write(fields),
    update: (_, changed) => write(changed),
  });
}
