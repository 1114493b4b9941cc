import * as z from "zod";

const flag = z.boolean();

const quota = z
  .strictObject({ enforce: flag, per_day: z.int().min(1).max(2_147_483_647), per_hour: z.int().min(1).max(2_147_483_647) })
  .exactPartial()
  .refine((value) => Object.keys(value).length > 0, "must not be empty");

/**
 * The maximum number of tokens that a client or an organization receives with the client credentials grant. If
 * `enforce` is false, further tokens are issued and the excess is logged.
 */
export const tokenQuotaSchema = z.strictObject({ client_credentials: quota });

export type TokenQuota = z.infer<typeof tokenQuotaSchema>;
