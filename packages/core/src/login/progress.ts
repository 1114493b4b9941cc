import * as z from "zod";
import { Redirected } from "../authorization/actions/redirected.ts";
import type { UpstreamProfile } from "../model/connections/strategies/provider.ts";
import { AuthenticationRecord } from "./authentication-record.ts";

/** A code that was sent, and is waited for. */
const AwaitedCode = z.object({
  purpose: z.enum(["login", "sign-up", "reset-password", "link-account"]),
  connection_id: z.string(),
  channel: z.enum(["email", "sms"]),
  /** What it was sent to, as codes are known by it: an address or a phone number; of a reset what the person typed. */
  to: z.string(),
  /** Milliseconds since 1970. */
  sent_at: z.number(),
  /** It is not the first. */
  again: z.boolean().exactOptional(),
});

export type AwaitedCode = z.infer<typeof AwaitedCode>;

/** As {@link UpstreamProfile}. */
const Profile = z.object({
  subject: z.string(),
  email: z.string().exactOptional(),
  emailVerified: z.boolean(),
  emailOwned: z.boolean(),
  name: z.string().exactOptional(),
  nickname: z.string().exactOptional(),
  givenName: z.string().exactOptional(),
  familyName: z.string().exactOptional(),
  picture: z.string().exactOptional(),
}) satisfies z.ZodType<UpstreamProfile>;

/** How far an interaction came. Kept as JSON in the login session. */
export const Progress = z.object({
  /** What the person typed to say who they are. */
  identifier: z.string().exactOptional(),
  /** The proofs that the person gave here, oldest first. */
  proofs: z.array(AuthenticationRecord),
  /** At the account chooser: the account to go on with; '' for another one. */
  chosen: z.string().exactOptional(),
  /** Where an account could be made: they have one. */
  has_account: z.boolean().exactOptional(),
  /** What the person wants where that is not plainly to sign in. */
  aim: z.enum(["sign-in", "sign-up", "reset-password"]).exactOptional(),
  code: AwaitedCode.exactOptional(),
  /** What was typed of an account that is to be made. Never the password. */
  typed: z.object({ email: z.string(), username: z.string(), phone_number: z.string() }).exactPartial().exactOptional(),
  /** The account that signing up made here, and the password that its maker chose. */
  made: z.object({ user_id: z.string(), password_id: z.string().nullable() }).exactOptional(),
  /**
   * The account whose password the user may set, because they read its mail. Good while the account has the password and the address of then. A login session
   * of an earlier version has no address.
   */
  reset: z
    .object({ user_id: z.string(), connection_id: z.string(), password_id: z.string().nullable(), email: z.string().exactOptional() })
    .exactOptional(),
  /** The ways to identity providers that are open: by which connection, and the hash of the `state` that leads back. Milliseconds since 1970. */
  upstream: z.array(z.object({ state_hash: z.string(), connection_id: z.string(), at: z.number() })).exactOptional(),
  /** Who somebody is at an identity provider, until they sign in to the account of ours that is to be linked with it. */
  pending_link: z
    .object({
      connection_id: z.string(),
      profile: Profile,
      /** The one account that has the address; left out where several have it. */
      account_id: z.string().exactOptional(),
      /** What the provider gave, sealed; left out where it is not kept. */
      tokens: z.string().exactOptional(),
      agreed: z.literal(true).exactOptional(),
      /**
       * When the user authenticated at the provider: milliseconds since 1970. Left out by an earlier version: not
       * known.
       */
      auth_time: z.object({ at: z.number(), isKnown: z.boolean() }).exactOptional(),
      /** The two cannot be linked: the provider's account belongs to another user, or the account changed. */
      failed: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** One of the host's actions led the person elsewhere: where to, and what the actions set so far. */
  redirected: Redirected.exactOptional(),
  /** The organization that they chose. */
  organization_id: z.string().exactOptional(),
  /** The account that accepts the invitation. */
  joined_by: z.string().exactOptional(),
  /** The account that agreed to what the client asks for. */
  consented_by: z.string().exactOptional(),
  /** The person said no: what the client is told of it, however often it asks for its answer. */
  declined: z.string().exactOptional(),
  /** Why a step is shown again. Stays until the next action, so that a reload repeats nothing. */
  problem: z
    .object({
      step: z.string(),
      name: z.string(),
      /** The rules that a new password which was tried does not keep to. */
      unkept: z.array(z.string()).readonly().exactOptional(),
    })
    .exactOptional(),
  /** Milliseconds since 1970: when the client was answered. */
  answered_at: z.number().exactOptional(),
});

export type Progress = z.infer<typeof Progress>;

/** Nothing happened yet. */
export const noProgress: Progress = { proofs: [] };
