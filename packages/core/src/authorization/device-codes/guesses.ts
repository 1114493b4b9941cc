import { networkOf } from "../../adapters/addresses.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { TenantContext } from "../../context.ts";
import { reserveAttempt, type ReservedAttempt } from "../../identity/attack-protection/login-attempts.ts";

/** The maximum number of wrong user codes within five minutes. Correct codes do not count. */
export const wrongUserCodes = { perNetwork: 5, perTenant: 100 } as const;

/**
 * Counts an attempt to enter a user code, by the network of the visitor and by tenant. Call this function before the code
 * is looked up, so that parallel guesses count as well. The data store counts, so the limits hold for all processes and
 * without a rate limiter. Counts only by tenant if the visitor's IP address is unknown or shared by all visitors.
 * @returns undefined if a limit is exceeded. Then a correct code is not accepted either.
 */
export async function reserveGuess(tenant: TenantContext): Promise<Pick<ReservedAttempt, "fail" | "giveBack"> | undefined> {
  const { ip, sharedIp } = tenant.requestInfo;
  // The network comes first, so that one visitor does not use up the limit of the tenant.
  const network = ip === undefined || sharedIp ? undefined : await reserve(tenant, `network:${networkOf(ip)}`, wrongUserCodes.perNetwork);
  if (typeof network === "string") return undefined;
  const all = await reserve(tenant, "tenant", wrongUserCodes.perTenant);
  if (typeof all === "string") {
    await network?.giveBack();
    return undefined;
  }
  return {
    async fail() {
      const [started] = await Promise.all([all.fail(), network?.fail()]);
      return started;
    },
    async giveBack() {
      await Promise.all([all.giveBack(), network?.giveBack()]);
    },
  };
}

async function reserve(tenant: TenantContext, subject: string, maximum: number): ReturnType<typeof reserveAttempt> {
  return reserveAttempt(tenant, await sha256(`user codes:${subject}`), maximum);
}
