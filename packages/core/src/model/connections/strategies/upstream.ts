import * as z from "zod";
import { storedOnly } from "../../settings.ts";
import { flagKind, httpsUrlOrEmpty, profileUpdateKind, secretKind } from "./kinds.ts";
import type { Inheritance } from "./inheritance.ts";
import { upstreamParamsSchema } from "./upstream-params.ts";

/** The options that all identity providers have. */
export const upstream = {
  allow_callback_auth_time: flagKind.meta({
    description:
      "A Postern extension, default false. If the provider does not send `auth_time`, the time of the callback is accepted as the time of authentication. If the option is false, `prompt=login` and `max_age` then fail with " +
      "`unmet_authentication_requirements`. Risk: the provider may have signed the user in with an old session, without authentication",
  }),
  client_id: z.string().max(1024),
  client_secret: secretKind,
  domain_aliases: z.array(z.string().max(256)).max(50_001),
  icon_url: storedOnly(httpsUrlOrEmpty),
  scope: z.union([z.string().max(4096), z.array(z.string().max(255)).max(255)]),
  freeform_scopes: z.array(z.string().max(2560)).max(1024),
  upstream_params: upstreamParamsSchema,
  disable_signup: flagKind,
  federated_connections_access_tokens: z.strictObject({ active: flagKind }).exactPartial(),
  set_user_root_attributes: profileUpdateKind,
};

/**
 * Returns the schema of the options of an identity provider. Unknown options are stored, because Auth0's tools write
 * back everything that they read.
 */
export function upstreamBody(options: z.core.$ZodLooseShape): z.ZodType {
  return z.looseObject(options).exactPartial();
}

/** The schema for a strategy that has only the options that all identity providers share. */
export const upstreamOptions: z.ZodType = upstreamBody(upstream);

/** The inheritance rules for the options that all identity providers have. */
export const upstreamInheritance = {
  preferences: [
    "scope",
    "freeform_scopes",
    "icon_url",
    "federated_connections_access_tokens",
    "set_user_root_attributes",
    "non_persistent_attrs",
  ],
  neverInherited: ["domain_aliases", "disable_signup", "allow_callback_auth_time"],
} as const satisfies Inheritance;
