import { action } from "../step.ts";

/** Lets the user deny what the client requests. Every step that asks for a consent has this action. */
export const deny = action({ summary: "Deny consent", fields: {} })(() => ({
  change: (progress) => ({ ...progress, declined: "User did not authorize the request" }),
}));
