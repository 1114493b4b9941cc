import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { codeTargets, type CodeOwner, type CodeTarget } from "../../identity/factors/factor-code.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import { choosePhoneChannel, phoneChannels } from "../../messages/phone-channels.ts";
import { factorKind, apiFactorTypeSchema, factorTypeSchema, toApiFactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The kinds of authenticators of the MFA API. `oob`: a code is sent by text message, voice call or email. */
export const authenticatorTypeSchema = z.enum(["otp", "oob", "recovery-code"]);

/** The channels of codes that Postern sends. */
export const oobChannelSchema = z.enum(["sms", "voice", "email"]);

/** An authenticator in the list of a user. */
export const authenticatorSchema = z
  .strictObject({
    id: z.string(),
    authenticator_type: authenticatorTypeSchema,
    type: apiFactorTypeSchema,
    active: z.boolean().meta({ description: "`false` if the user has not confirmed the authenticator with its first code" }),
    oob_channel: oobChannelSchema.exactOptional().meta({ description: "How a code is sent by default" }),
    oob_channels: z
      .array(oobChannelSchema)
      .exactOptional()
      .meta({ description: "How a code can be sent: `oob_channel`, and the other channel that the tenant offers for phones" }),
    name: z.string().exactOptional().meta({ description: "The masked phone number or email address, or the name of the authenticator" }),
    created_at: z.iso.datetime().exactOptional(),
    last_auth: z.iso.datetime().exactOptional(),
  })
  .meta({ id: "MfaAuthenticator" });

/** Returns a factor in the form of the MFA API. Undefined for passkeys and security keys, which the MFA API cannot use. */
export function toAuthenticator(tenant: RequestTenant, factor: Factor): z.infer<typeof authenticatorSchema> | undefined {
  const type = factorTypeSchema.parse(factor.type);
  const authenticatorType = factorKind(type).authenticator;
  if (authenticatorType === undefined) return undefined;
  const { id, address, name, confirmed_at: confirmed, created_at: created, last_used_at: used } = factor;
  const shown = address === null ? (name ?? undefined) : maskDestination(address);
  return {
    id,
    authenticator_type: authenticatorType,
    type: toApiFactorType(type),
    active: confirmed !== null,
    ...(type === "phone" && phoneMembers(tenant, factor)),
    ...(type === "email" && emailMembers),
    ...(shown !== undefined && { name: shown }),
    created_at: new Date(created).toISOString(),
    ...(used !== null && { last_auth: new Date(used).toISOString() }),
  };
}

/** Returns the user's verified email address in the form of the MFA API. It is a factor without enrollment. */
export async function emailAuthenticator(userId: string, { address }: CodeTarget): Promise<z.infer<typeof authenticatorSchema>> {
  return {
    id: await accountEmailId(userId),
    authenticator_type: "oob",
    type: "email",
    active: true,
    ...emailMembers,
    name: maskDestination(address),
  };
}

/** A destination of codes, and the id that the MFA API has for it. */
export interface ListedTarget {
  readonly id: string;
  readonly target: CodeTarget;
  /** Whether it is the account's email address, which is not enrolled. */
  readonly isOfAccount: boolean;
}

/** Returns the destinations of a user's codes, as {@link codeTargets}, with the ids of the MFA API. */
export async function listTargets(
  owner: CodeOwner & { readonly user: Row<"users"> },
  type: "phone" | "email",
): Promise<readonly ListedTarget[]> {
  const ofAccount = await accountEmailId(owner.user.user_id);
  return codeTargets(owner, type).map((target) => {
    const isOfAccount = !owner.factors.some(({ id }) => id === target.id);
    return { id: isOfAccount ? ofAccount : target.id, target, isOfAccount };
  });
}

const emailMembers = { oob_channel: "email" as const, oob_channels: ["email" as const] };

function phoneMembers(tenant: RequestTenant, { channel }: Factor) {
  const first = choosePhoneChannel(tenant, channel);
  return { oob_channel: first, oob_channels: [first, ...phoneChannels(tenant).filter((one) => one !== first)] };
}

/** Masks a destination as Auth0 does: the last four digits of a phone number stay. */
function maskDestination(address: string): string {
  return address.includes("@") ? maskAddress(address) : `XXXXXXXXX${address.slice(-4)}`;
}

/** The id of the account's email address, in the form of other ids. It is derived from the user id. */
async function accountEmailId(userId: string): Promise<string> {
  const hash = await sha256(`email of ${userId}`);
  return `email|dev_${hash.replaceAll(/[-_]/g, "").slice(0, 16)}`;
}
