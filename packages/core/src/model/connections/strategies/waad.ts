import * as z from "zod";
import { flag } from "./kinds.ts";
import type { Lending } from "./lending.ts";
import { upstream, upstreamBody, upstreamLending } from "./upstream.ts";

const options = {
  ...upstream,
  app_domain: z.string().max(255),
  app_id: z.string().max(500),
  identity_api: z.enum(["microsoft-identity-platform-v2.0", "azure-active-directory-v1.0"]),
  max_groups_to_retrieve: z.string().regex(/^[0-9]{0,10}$/, "must be a whole number"),
  should_trust_email_verified_connection: z.enum(["never_set_emails_as_verified", "always_set_emails_as_verified"]),
  tenant_domain: z.string().max(512),
  tenantId: z.string().max(36),
  useCommonEndpoint: flag,
  userid_attribute: z.enum(["oid", "sub"]),
  waad_protocol: z.enum(["ws-federation", "openid-connect"]),
};

/** Microsoft Entra ID. */
export const waad: z.ZodType = upstreamBody(options);

/** What of its options falls back. */
export const waadLending: Lending = {
  ...upstreamLending,
  preferences: [...upstreamLending.preferences, "max_groups_to_retrieve", "userid_attribute", "should_trust_email_verified_connection"],
  choosing: ["useCommonEndpoint"],
};
