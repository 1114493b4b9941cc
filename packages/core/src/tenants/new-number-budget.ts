import { PosternError } from "../errors.ts";
import { countEvent, exceededLimit, findCounts, type ExceededLimit, type HourlyLimit } from "../identity/attack-protection/hourly-count.ts";
import { numberRange } from "../identity/attack-protection/rate-limit.ts";
import { auditUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import type { Installation } from "./installation.ts";
import type { RequestTenant } from "./tenant.ts";

/**
 * Limits on messages to phone numbers that are not confirmed for the user's account: maximums within any hour. The names are
 * those of the options.
 */
export interface NewNumberLimits {
  readonly newNumbersPerUser: number;
  readonly newNumberMessagesPerUser: number;
  readonly newNumberMessagesPerNumber: number;
  readonly newNumberMessagesPerRange: number;
  readonly newNumberMessagesPerTenant: number;
}

/** Adds the default limits. */
export function withDefaultLimits({
  newNumbersPerUser = 3,
  newNumberMessagesPerUser = 6,
  newNumberMessagesPerNumber = 5,
  newNumberMessagesPerRange = 20,
  newNumberMessagesPerTenant = 200,
}: Partial<NewNumberLimits> = {}): NewNumberLimits {
  return {
    newNumbersPerUser,
    newNumberMessagesPerUser,
    newNumberMessagesPerNumber,
    newNumberMessagesPerRange,
    newNumberMessagesPerTenant,
  };
}

/** A message to a phone number that is not confirmed for the user's account. */
export interface NewNumberMessage {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The phone number. */
  readonly address: string;
}

/** The budget for a message to a new phone number. */
export interface NewNumberBudget {
  /** Returns the error to respond with if a limit is exceeded. Counts nothing. */
  check(): Promise<PosternError | undefined>;
  /**
   * Counts the message. Call this function before the message is sent.
   * @returns the error to respond with if parallel requests used up a limit since {@link check}.
   */
  count(): Promise<PosternError | undefined>;
}

type LimitName = keyof NewNumberLimits;

/**
 * Opens the budget for a message to a new phone number. The counts are in the first database, because all tenants share
 * the limits for a number and a range. They contain keyed hashes instead of numbers and users.
 */
export async function openNewNumberBudget(
  installation: Installation,
  tenant: RequestTenant,
  message: NewNumberMessage,
): Promise<NewNumberBudget> {
  const { message_counts: counts } = installation.collections;
  const now = (): number => tenant.now();
  const limits = await limitsOf(installation, tenant, message);
  const known = await findCounts(counts, limits);

  /** Writes an audit event once an hour for each tenant and exhausted count, and returns the error to respond with. */
  const refuse = async ({ name, subject, maximum, endsAt }: ExceededLimit<LimitName>): Promise<PosternError> => {
    const event = { name, subject: await hashOf(installation, "event", tenant.id, name, subject), maximum: 1 };
    const reported = await findCounts(counts, [event]);
    if ((await countEvent({ counts, now }, event, reported.get(event.subject))) === undefined) {
      await tenant.audit({
        type: "limit_mu",
        description: "Too many messages to new phone numbers",
        details: { limit: name, maximum, range: numberRange(message.address) },
        ...auditUser(message.user),
      });
    }
    const headers = { "retry-after": String(Math.ceil((endsAt - now()) / 1000)) };
    return new PosternError("TOO_MANY_REQUESTS", "Too many codes were requested for new phone numbers. Try again later.", { headers });
  };

  return {
    async check() {
      for (const limit of limits) {
        const exceeded = exceededLimit(limit, known.get(limit.subject), now());
        if (exceeded !== undefined) return refuse(exceeded);
      }
      return undefined;
    },
    async count() {
      for (const limit of limits) {
        const exceeded = await countEvent({ counts, now }, limit, known.get(limit.subject));
        if (exceeded !== undefined) return refuse(exceeded);
      }
      return undefined;
    },
  };
}

/** Returns the limits for a message. The limits of the user come first, so that one user does not use up the others. */
async function limitsOf(
  installation: Installation,
  { id }: RequestTenant,
  { user, address }: NewNumberMessage,
): Promise<readonly HourlyLimit<LimitName>[]> {
  const { newNumberLimits: maximums } = installation;
  const [numberHash, userHash, rangeHash, tenantHash] = await Promise.all([
    hashOf(installation, "number", address),
    hashOf(installation, "user", id, user.user_id),
    hashOf(installation, "range", numberRange(address)),
    hashOf(installation, "tenant", id),
  ]);
  const limit = (name: LimitName, subject: string): HourlyLimit<LimitName> => ({ name, subject, maximum: maximums[name] });
  const distinct = { name: "newNumbersPerUser", maximum: maximums.newNumbersPerUser, member: numberHash } as const;
  return [
    { ...limit("newNumberMessagesPerUser", userHash), members: distinct },
    limit("newNumberMessagesPerNumber", numberHash),
    limit("newNumberMessagesPerRange", rangeHash),
    limit("newNumberMessagesPerTenant", tenantHash),
  ];
}

function hashOf({ secrets }: Installation, ...texts: readonly string[]): Promise<string> {
  return secrets.fingerprints.of("messages to new numbers", ...texts);
}
