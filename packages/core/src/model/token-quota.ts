import * as z from "zod";
import { notEmpty } from "./member-count.ts";

const flag = z.boolean();

const quota = notEmpty(
  z.strictObject({ enforce: flag, per_day: z.int().min(1).max(2_147_483_647), per_hour: z.int().min(1).max(2_147_483_647) }).exactPartial(),
);

/**
 * The maximum number of tokens that a client or an organization receives with the client credentials grant. If
 * `enforce` is false, further tokens are issued and the excess is logged.
 */
export const tokenQuotaSchema = z.strictObject({ client_credentials: quota });

export type TokenQuota = z.infer<typeof tokenQuotaSchema>;
