import type * as z from "zod";
import { unusable } from "./option-schemas.ts";

interface SmsSenders {
  readonly actions?: readonly { readonly onExecuteSendPhoneMessage?: unknown }[] | undefined;
  readonly messages?: { readonly sms?: unknown } | undefined;
}

/** Rejects two senders of text messages: `messages.sms` and an action, or two actions. */
export function requireOneSmsSender({ value: { actions = [], messages }, issues }: z.core.ParsePayload<SmsSenders>): void {
  const senders = actions.filter(({ onExecuteSendPhoneMessage: send }) => send !== undefined).length;
  if (senders + (messages?.sms === undefined ? 0 : 1) <= 1) return;
  const path = messages?.sms === undefined ? ["actions"] : ["messages", "sms"];
  const reason = "only one sender of text messages is allowed, 'messages.sms' or one action with onExecuteSendPhoneMessage";
  issues.push(unusable(actions, reason, { path }));
}

interface SubdomainOptions {
  readonly controlPlane?: object | undefined;
  readonly subdomainRouting?: { readonly useOrganizations?: boolean | undefined; readonly resolveSubdomain?: unknown } | undefined;
}

/**
 * Rejects subdomains that are names of organizations if no control plane is set, because those organizations belong to
 * it.
 */
export function requireControlPlaneForSubdomains({
  value: { controlPlane, subdomainRouting },
  issues,
}: z.core.ParsePayload<SubdomainOptions>): void {
  if (subdomainRouting === undefined || controlPlane !== undefined) return;
  if (subdomainRouting.resolveSubdomain !== undefined || subdomainRouting.useOrganizations === false) return;
  const reason =
    "it finds tenants by organizations of the control plane, which is not set: pass 'controlPlane', 'subdomainRouting.resolveSubdomain', or 'subdomainRouting.useOrganizations: false'";
  issues.push(unusable(subdomainRouting, reason, { path: ["subdomainRouting"] }));
}
