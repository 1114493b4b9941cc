import type { Row } from "../../store/schema.ts";
import type { CodePlace } from "../one-time-codes/one-time-code.ts";
import { isChannelOf, type FirstFactor } from "./factor-uses.ts";
import type { Factor } from "./factors.ts";

/**
 * Where the codes of a factor are sent. An account's verified email address can be a factor without enrollment: then
 * `id` is `email`.
 */
export interface CodeTarget extends Pick<Factor, "id"> {
  readonly type: "phone" | "email";
  readonly address: string;
  /** The user's preferred channel for codes to a phone. Default: the tenant's. */
  readonly channel?: string | null;
}

/** The id of the target for an account's email address. No stored factor has it. */
const accountEmailId = "email";

/** The user whose factors get codes, and the first factor, whose channels are no second factor. */
export interface CodeOwner {
  /** The primary account. */
  readonly user: Pick<Row<"users">, "email" | "email_verified">;
  readonly factors: readonly Factor[];
  readonly first: Pick<FirstFactor, "method" | "channels">;
}

/**
 * Returns the destinations of a user's factor codes, in the order of the factors. The account's email address comes
 * last, if codes may be sent to it. Leaves out the channels of the first factor.
 */
export function codeTargets({ user, factors, first }: CodeOwner, type: "phone" | "email"): readonly CodeTarget[] {
  const enrolled = factors.flatMap(({ id, type: own, address, channel }) =>
    own === type && address !== null ? [{ id, type, address, ...(type === "phone" && { channel }) }] : [],
  );
  const isListed = enrolled.some(({ address }) => address.toLowerCase() === user.email.toLowerCase());
  const ofAccount = type === "email" && user.email_verified && user.email !== "" && !isListed;
  const all = ofAccount ? [...enrolled, { id: accountEmailId, type, address: user.email }] : enrolled;
  return all.filter(({ address }) => !isChannelOf(first, address));
}

/** The interaction that a factor code belongs to. */
export interface FactorCodePlace {
  /** `factor`: the code is for an enrolled factor. `add-factor`: it confirms a new one. */
  readonly purpose: "factor" | "add-factor";
  readonly clientId: string;
  /** The id of the login session, or of the `mfa_token`, that requests the code. The code is valid only there. */
  readonly loginId: string;
}

/** Returns the place in which a factor code is valid. A code for one factor is not valid for another. */
export function codePlaceOf({ id, type, address }: CodeTarget, { purpose, clientId, loginId }: FactorCodePlace): CodePlace {
  return {
    purpose,
    connectionId: id,
    channel: type === "email" ? "email" : "sms",
    identifier: address,
    clientId,
    loginId,
    ip: undefined,
  };
}
