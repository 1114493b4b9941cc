import * as z from "zod";
import { demandedSchema, redirectedSchema } from "../authorization/actions/redirected.ts";
import type { UpstreamProfile } from "../model/connections/strategies/provider.ts";
import { accessColumnsSchema } from "../identity/users/account-access.ts";
import { standardClaimsSchema } from "../model/users/standard-claims.ts";
import { messageTypeSchema } from "../model/factors/multifactor.ts";
import { factorTypeSchema } from "../model/factors/factor-types.ts";
import { authenticationRecordSchema, factorRecordSchema } from "./authentication-record.ts";

/** A code that was sent but not entered yet. */
const awaitedCodeSchema = z.object({
  purpose: z.enum(["login", "sign-up", "reset-password", "link-account"]),
  connection_id: z.string(),
  channel: z.enum(["email", "sms"]),
  /**
   * The normalized email address or phone number that the code was sent to; for a password reset, the identifier that
   * the visitor entered.
   */
  to: z.string(),
  /** When the code was sent, in milliseconds since 1970. */
  sent_at: z.number(),
  /** Whether an earlier code was sent for the same purpose to the same destination. */
  again: z.boolean().exactOptional(),
});

/**
 * A user who passed a first factor and must pass a second one. No session exists yet: the step `factor` starts it.
 */
const pendingSignInSchema = z.object({
  proof: authenticationRecordSchema,
  /** The email addresses and phone numbers through which the first factor went. */
  channels: z.array(z.string()).exactOptional(),
  /** When the user authenticated at an identity provider, if the provider reported it. */
  auth_time: z.object({ at: z.number(), isKnown: z.boolean() }).exactOptional(),
  /** Whether the first factor is a code to an unproven address of the account, which the second factor proves. */
  claims_address: z.literal(true).exactOptional(),
  /** The columns of the account that gave access to it. If one of them changes, the sign-in is void. */
  access: accessColumnsSchema,
});

export type PendingSignIn = z.infer<typeof pendingSignInSchema>;

export type AwaitedCode = z.infer<typeof awaitedCodeSchema>;

/** The schema of {@link UpstreamProfile}. */
const profileSchema = z.object({
  subject: z.string(),
  email: z.string().exactOptional(),
  emailVerified: z.boolean(),
  emailOwned: z.boolean(),
  name: z.string().exactOptional(),
  nickname: z.string().exactOptional(),
  givenName: z.string().exactOptional(),
  familyName: z.string().exactOptional(),
  picture: z.string().exactOptional(),
  claims: standardClaimsSchema.exactOptional(),
}) satisfies z.ZodType<UpstreamProfile>;

/** The progress of an interaction, which is stored as JSON in the login session. */
export const loginProgressSchema = z.object({
  /** The identifier that the visitor entered. */
  identifier: z.string().exactOptional(),
  /** The completed sign-ins of this interaction, oldest first. */
  proofs: z.array(authenticationRecordSchema),
  /** The sign-in that waits for a second factor. */
  pending: pendingSignInSchema.exactOptional(),
  /** The second factors that the user of the pending sign-in, or of the session, passed in this interaction. */
  factors: z.array(factorRecordSchema).exactOptional(),
  /**
   * The id of the account that the user chose in the account chooser; '' if the user chose to sign in with another
   * account.
   */
  chosen: z.string().exactOptional(),
  /** Whether the invited visitor said that they already have an account. */
  has_account: z.boolean().exactOptional(),
  /** What the visitor chose to do. Omitted if the visitor has not chosen; the client's `screen_hint` decides then. */
  aim: z.enum(["sign-in", "sign-up", "reset-password"]).exactOptional(),
  code: awaitedCodeSchema.exactOptional(),
  /** The values that the visitor entered in the sign-up form, without the password. */
  typed: z.object({ email: z.string(), username: z.string(), phone_number: z.string() }).exactPartial().exactOptional(),
  /**
   * The account that was created by sign-up in this login session, and the id of the password that its creator chose.
   * `null` if they chose a passkey; `passkey` then says when it was created and whether it verified the user.
   */
  made: z
    .object({
      user_id: z.string(),
      password_id: z.string().nullable(),
      passkey: z.object({ at: z.number(), user_verified: z.boolean() }).exactOptional(),
    })
    .exactOptional(),
  /** Whether the visitor chose to create the new account with a passkey instead of a password. */
  passkey_sign_up: z.literal(true).exactOptional(),
  /** Whether the browser reported that it can create a passkey on the device. */
  can_create_passkey: z.literal(true).exactOptional(),
  /** Whether the user signed in with a passkey of another device. */
  used_remote_passkey: z.literal(true).exactOptional(),
  /** The id of the passkey that was rejected last, if no user has it. */
  unknown_passkey: z.string().exactOptional(),
  /** Whether the user has added a passkey, or does not want to. */
  passkey_offer: z.enum(["accepted", "declined"]).exactOptional(),
  /**
   * The account whose password the visitor may set, because they proved that they can read its mail. Valid while the
   * account's password and email address are unchanged. `at`: when the visitor redeemed the code, in milliseconds since
   * 1970.
   */
  reset: z
    .object({
      user_id: z.string(),
      connection_id: z.string(),
      password_id: z.string().nullable(),
      email: z.string(),
      at: z.number(),
    })
    .exactOptional(),
  /**
   * The open sign-in attempts at identity providers: the connection, the hash of the callback's `state`, and when the
   * attempt started in milliseconds since 1970.
   */
  upstream: z.array(z.object({ state_hash: z.string(), connection_id: z.string(), at: z.number() })).exactOptional(),
  /**
   * The user who links an account at an identity provider on the account page, and the session in which the user does. The
   * next sign-in at a provider links the account and signs no user in.
   */
  link_to: z.object({ user_id: z.string(), session_id: z.string() }).exactOptional(),
  /**
   * The user's profile at an identity provider, which waits to be linked. It is removed when the user has signed in to
   * the existing account.
   */
  pending_link: z
    .object({
      connection_id: z.string(),
      profile: profileSchema,
      /** The id of the existing account with the email address. Omitted if several accounts have the address. */
      account_id: z.string().exactOptional(),
      /** The provider's tokens, encrypted; omitted if they are not stored. */
      tokens: z.string().exactOptional(),
      agreed: z.literal(true).exactOptional(),
      /** When the user authenticated at the provider, in milliseconds since 1970. */
      auth_time: z.object({ at: z.number(), isKnown: z.boolean() }),
      /**
       * Present if the accounts cannot be linked, because the provider's account belongs to another user or the
       * existing account changed.
       */
      failed: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** A redirect by one of the host's actions: the URL, and the changes that the actions have made so far. */
  redirected: redirectedSchema.exactOptional(),
  /**
   * The form that was accepted last: its fingerprint, when, in milliseconds since 1970, and the session that it started
   * with the cookies of the response, encrypted (`submitted-form.ts`).
   */
  submitted: z
    .object({
      form: z.string(),
      at: z.number(),
      session: z.object({ id: z.string(), cookies: z.string() }).exactOptional(),
    })
    .exactOptional(),
  /** The factors that the host's actions require, and the changes that the actions have made so far. */
  demanded: demandedSchema.exactOptional(),
  /** The factor that the user chose to authenticate with, or to add. */
  factor_choice: factorTypeSchema.exactOptional(),
  /** The id of the phone or email address that the user chose for the codes of the factor. */
  factor_destination: z.string().exactOptional(),
  /**
   * Describes the factor code that was sent last. `sent_at` is in milliseconds since 1970. `channel` is set for phones
   * only.
   */
  factor_code: z
    .object({
      factor_id: z.string(),
      user_id: z.string(),
      sent_at: z.number(),
      channel: messageTypeSchema.exactOptional(),
    })
    .exactOptional(),
  /** The id of the factor that the user is adding. */
  new_factor: z.string().exactOptional(),
  /** The text that the user entered as the number of the new phone, if it was rejected. */
  rejected_phone: z.string().exactOptional(),
  /** A new recovery code that its user has not stored yet, encrypted. `is_replacement`: the user entered the former code. */
  recovery_code: z.object({ user_id: z.string(), sealed: z.string(), is_replacement: z.literal(true).exactOptional() }).exactOptional(),
  /** The id of the organization that the user chose. */
  organization_id: z.string().exactOptional(),
  /** The id of the account that accepted the invitation. */
  joined_by: z.string().exactOptional(),
  /** The id of the account that consented to the client's request. */
  consented_by: z.string().exactOptional(),
  /**
   * Present if the user declined: the error description for the client. If the browser requests the response again, the
   * client receives the same error.
   */
  declined: z.string().exactOptional(),
  /** Why a step is shown again. Stored until the next action, so that a reload does not repeat the action. */
  problem: z
    .object({
      step: z.string(),
      name: z.string(),
      /** The codes of the rules that a rejected new password does not satisfy. */
      unkept: z.array(z.string()).readonly().exactOptional(),
      /** The right spelling of the rejected phone number. */
      correction: z.string().exactOptional(),
    })
    .exactOptional(),
  /** When the response was sent to the client, in milliseconds since 1970. */
  answered_at: z.number().exactOptional(),
});

export type LoginProgress = z.infer<typeof loginProgressSchema>;

/** The progress of a new interaction. */
export const noProgress: LoginProgress = { proofs: [] };
