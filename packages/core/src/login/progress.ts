import * as z from "zod";
import { demandedSchema, redirectedSchema } from "../authorization/actions/redirected.ts";
import { authenticationRecordSchema, factorRecordSchema } from "./authentication-record.ts";
import { pendingSignInProgress } from "./pending-sign-in.ts";
import { addFactorProgress, newPhoneProgress } from "./steps/add-factor/progress.ts";
import { addPasskeyProgress } from "./steps/add-passkey/progress.ts";
import { codeProgress } from "./steps/code/progress.ts";
import { consentProgress } from "./steps/consent/progress.ts";
import { createAccountProgress } from "./steps/create-account/progress.ts";
import { createPasskeyProgress } from "./steps/create-passkey/progress.ts";
import { factorProgress } from "./steps/factor/progress.ts";
import { identifierProgress } from "./steps/identifier/progress.ts";
import { invitationProgress } from "./steps/invitation/progress.ts";
import { linkAccountProgress } from "./steps/link-account/progress.ts";
import { newPasswordProgress } from "./steps/new-password/progress.ts";
import { organizationProgress } from "./steps/organization/progress.ts";
import { recoveryCodeProgress } from "./steps/recovery-code/progress.ts";
import { selectAccountProgress } from "./steps/select-account/progress.ts";
import { signUpProgress } from "./steps/sign-up/progress.ts";
import { passkeySignInProgress } from "./steps/webauthn/progress.ts";
import { connectProgress } from "./upstream/connect-progress.ts";
import { ownLinkProgress, upstreamProgress } from "./upstream/progress.ts";

/** The progress that no step owns: the flow that the visitor wants. */
export const aimProgress = {
  /** The flow that the visitor chose. Omitted if the visitor has not chosen; the client's `screen_hint` decides then. */
  aim: z.enum(["sign-in", "sign-up", "reset-password"]).exactOptional(),
};

/** The progress of the second factors. */
export const passedFactorsProgress = {
  /** The second factors that the user of the pending sign-in, or of the session, passed in this interaction. */
  factors: z.array(factorRecordSchema).exactOptional(),
};

/** The progress of the host's actions. */
export const actionsProgress = {
  /** A redirect by one of the host's actions: the URL, and the changes that the actions have made so far. */
  redirected: redirectedSchema.exactOptional(),
  /** The factors that the host's actions require, and the changes that the actions have made so far. */
  demanded: demandedSchema.exactOptional(),
};

/** The problem with the last action. */
export const problemProgress = {
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
};

/** The progress of the response to the client. */
export const responseProgress = {
  /** When the response was sent to the client, in milliseconds since 1970. */
  answered_at: z.number().exactOptional(),
};

/**
 * The progress of an interaction, which is stored as JSON in the login session. It consists of parts: each step declares
 * its own in its folder.
 */
export const loginProgressSchema = z.object({
  /** The completed sign-ins of this interaction, oldest first. */
  proofs: z.array(authenticationRecordSchema),
  /**
   * Present if the user declined: the error description for the client. If the browser requests the response again, the
   * client receives the same error.
   */
  declined: z.string().exactOptional(),
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
  ...selectAccountProgress,
  ...pendingSignInProgress,
  ...passedFactorsProgress,
  ...factorProgress,
  ...addFactorProgress,
  ...newPhoneProgress,
  ...createAccountProgress,
  ...aimProgress,
  ...signUpProgress,
  ...createPasskeyProgress,
  ...codeProgress,
  ...newPasswordProgress,
  ...linkAccountProgress,
  ...upstreamProgress,
  ...ownLinkProgress,
  ...connectProgress,
  ...identifierProgress,
  ...passkeySignInProgress,
  ...recoveryCodeProgress,
  ...addPasskeyProgress,
  ...invitationProgress,
  ...organizationProgress,
  ...consentProgress,
  ...actionsProgress,
  ...problemProgress,
  ...responseProgress,
});

export type LoginProgress = z.infer<typeof loginProgressSchema>;

/** The members that a login can be without. */
type OptionalMember = Exclude<keyof LoginProgress, "proofs">;

/** A part of the progress: the schemas of its members. */
export type ProgressPart = { readonly [Member in OptionalMember]?: z.ZodType };

/** The progress of a new interaction. */
export const noProgress: LoginProgress = { proofs: [] };

/** Returns the progress without these parts. */
export function withoutParts(progress: LoginProgress, parts: readonly ProgressPart[]): LoginProgress {
  const rest = { ...progress };
  for (const part of parts) {
    for (const member of Object.keys(part)) if (isOptional(member)) delete rest[member];
  }
  return rest;
}

function isOptional(member: string): member is OptionalMember {
  return member !== "proofs" && Object.hasOwn(loginProgressSchema.shape, member);
}
