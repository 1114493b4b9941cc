import * as z from "zod";

/**
 * The parts of the Management API's responses that the screens show. Other members are accepted and ignored, so that
 * the console works with a newer service.
 */
const text = z.string();
const optionalText = text.nullish();
const metadata = z.record(z.string(), z.unknown());

/** An account that belongs to a user. */
const shownIdentitySchema = z.looseObject({ connection: text, provider: text, user_id: z.coerce.string() });

/** A user. */
export const shownUserSchema = z.looseObject({
  user_id: text,
  connection: optionalText,
  email: optionalText,
  email_verified: z.boolean().nullish(),
  username: optionalText,
  phone_number: optionalText,
  phone_verified: z.boolean().nullish(),
  name: optionalText,
  nickname: optionalText,
  given_name: optionalText,
  family_name: optionalText,
  blocked: z.boolean().nullish(),
  user_metadata: metadata.nullish(),
  app_metadata: metadata.nullish(),
  identities: z.array(shownIdentitySchema).nullish(),
  created_at: optionalText,
  updated_at: optionalText,
  last_login: optionalText,
  last_ip: optionalText,
  last_password_reset: optionalText,
  logins_count: z.number().nullish(),
});
export type DisplayedUser = z.infer<typeof shownUserSchema>;

/** A page of users. */
export const userPageSchema = z.looseObject({ users: z.array(shownUserSchema), next: text.optional() });

/** The blocks of a user after failed sign-ins. */
export const shownBlocksSchema = z.looseObject({ blocked_for: z.array(z.looseObject({ identifier: text })) });

/** A log event. */
export const shownEventSchema = z.looseObject({
  log_id: text,
  date: text,
  type: text,
  description: optionalText,
  connection: optionalText,
  organization_id: optionalText,
  organization_name: optionalText,
  client_id: optionalText,
  client_name: optionalText,
  ip: optionalText,
  hostname: optionalText,
  user_id: optionalText,
  user_name: optionalText,
  user_agent: optionalText,
  audience: optionalText,
  scope: optionalText,
});
export type ShownEvent = z.infer<typeof shownEventSchema>;
export const shownEventsSchema = z.array(shownEventSchema);

/** The numbers of one day. The members that Auth0 lacks are optional. */
export const shownDaysSchema = z.array(
  z.looseObject({
    date: text,
    logins: z.number(),
    signups: z.number(),
    failures: z.number().nullish(),
    failures_by_type: z.record(text, z.number()).nullish(),
    active_users: z.number().nullish(),
    updated_at: optionalText,
  }),
);
export type ShownDay = z.infer<typeof shownDaysSchema>[number];

const device = z.looseObject({ last_user_agent: optionalText, last_ip: optionalText }).nullish();

/** A page of a user's sessions. */
export const sessionPageSchema = z.looseObject({
  sessions: z.array(
    z.looseObject({
      id: text,
      created_at: optionalText,
      last_interacted_at: optionalText,
      expires_at: optionalText,
      device,
      clients: z.array(z.looseObject({ client_id: text })).nullish(),
    }),
  ),
  next: text.optional(),
});
export type SessionPage = z.infer<typeof sessionPageSchema>;

/** A page of a user's refresh tokens. */
export const refreshTokenPageSchema = z.looseObject({
  refresh_tokens: z.array(
    z.looseObject({
      id: text,
      client_id: text,
      created_at: optionalText,
      last_exchanged_at: optionalText,
      expires_at: optionalText,
      device,
    }),
  ),
  next: text.optional(),
});
export type RefreshTokenPage = z.infer<typeof refreshTokenPageSchema>;

/** The public keys of a user's devices. */
export const deviceKeysSchema = z.array(z.looseObject({ id: text, client_id: text, device_name: optionalText, device_id: optionalText }));
export type ShownDeviceKey = z.infer<typeof deviceKeysSchema>[number];

/** A role. */
export const shownRoleSchema = z.looseObject({ id: text, name: text, description: optionalText, is_system: z.boolean().nullish() });
export type ShownRole = z.infer<typeof shownRoleSchema>;
export const shownRolesSchema = z.array(shownRoleSchema);

/** A page of roles. */
export const rolePageSchema = z.looseObject({ roles: shownRolesSchema, next: text.optional() });

/** A page of the users who have a role. */
export const roleUserPageSchema = z.looseObject({
  users: z.array(z.looseObject({ user_id: text, name: optionalText, email: optionalText })),
  next: text.optional(),
});

/** An API. */
export const shownApiSchema = z.looseObject({
  id: text,
  name: text,
  identifier: text,
  is_system: z.boolean().nullish(),
  scopes: z.array(z.looseObject({ value: text, description: optionalText })).nullish(),
  signing_alg: optionalText,
  token_lifetime: z.number().nullish(),
  token_lifetime_for_web: z.number().nullish(),
  allow_offline_access: z.boolean().nullish(),
  skip_consent_for_verifiable_first_party_clients: z.boolean().nullish(),
  enforce_policies: z.boolean().nullish(),
  token_dialect: optionalText,
  subject_type_authorization: z
    .looseObject({ user: z.looseObject({ policy: optionalText }).nullish(), client: z.looseObject({ policy: optionalText }).nullish() })
    .nullish(),
});
export type ShownApi = z.infer<typeof shownApiSchema>;

/** A page of APIs. */
export const apiPageSchema = z.looseObject({ resource_servers: z.array(shownApiSchema), next: text.optional() });

/** Permissions, with the roles that they come from. */
export const shownPermissionsSchema = z.array(
  z.looseObject({
    permission_name: text,
    resource_server_identifier: text,
    resource_server_name: optionalText,
    description: optionalText,
    sources: z.array(z.looseObject({ source_name: text, source_type: text })).nullish(),
  }),
);
export type ShownPermission = z.infer<typeof shownPermissionsSchema>[number];

/** A page of the permissions of a role. */
export const permissionPageSchema = z.looseObject({ permissions: shownPermissionsSchema, next: text.optional() });

/** An organization. */
export const shownOrganizationSchema = z.looseObject({ id: text, name: text, display_name: optionalText, created_at: optionalText });
export type ShownOrganization = z.infer<typeof shownOrganizationSchema>;
export const shownOrganizationsSchema = z.array(shownOrganizationSchema);

/** A page of organizations. */
export const organizationPageSchema = z.looseObject({ organizations: shownOrganizationsSchema, next: text.optional() });

/** A page of an organization's members. */
export const memberPageSchema = z.looseObject({
  members: z.array(
    z.looseObject({
      user_id: text,
      name: optionalText,
      email: optionalText,
      roles: z.array(z.looseObject({ id: text, name: text })).nullish(),
    }),
  ),
  next: text.optional(),
});
export type ShownMember = z.infer<typeof memberPageSchema>["members"][number];

/** An invitation to an organization. */
export const shownInvitationSchema = z.looseObject({
  id: text,
  inviter: z.looseObject({ name: text }),
  invitee: z.looseObject({ email: text }),
  invitation_url: optionalText,
  client_id: text,
  created_at: optionalText,
  expires_at: optionalText,
});
export type ShownInvitation = z.infer<typeof shownInvitationSchema>;

/** A page of invitations. */
export const invitationPageSchema = z.looseObject({ invitations: z.array(shownInvitationSchema), next: text.optional() });

/** A page of an organization's connections. */
export const organizationConnectionPageSchema = z.looseObject({
  enabled_connections: z.array(
    z.looseObject({
      connection_id: text,
      assign_membership_on_login: z.boolean().nullish(),
      show_as_button: z.boolean().nullish(),
      connection: z.looseObject({ name: text, strategy: text }),
    }),
  ),
  next: text.optional(),
});
export type ShownOrganizationConnection = z.infer<typeof organizationConnectionPageSchema>["enabled_connections"][number];

/** Consents. */
export const shownConsentsSchema = z.array(z.looseObject({ id: text, clientID: text, audience: text, scope: z.array(text) }));
export type ShownConsent = z.infer<typeof shownConsentsSchema>[number];

/** Second factors and passkeys. */
export const shownFactorsSchema = z.array(
  z.looseObject({
    id: text,
    type: text,
    confirmed: z.boolean().nullish(),
    name: optionalText,
    phone_number: optionalText,
    email: optionalText,
    created_at: optionalText,
    last_auth_at: optionalText,
  }),
);
export type ShownFactor = z.infer<typeof shownFactorsSchema>[number];

/** A client. */
export const shownClientSchema = z.looseObject({
  client_id: text,
  name: text,
  description: optionalText,
  app_type: optionalText,
  is_first_party: z.boolean().nullish(),
  callbacks: z.array(text).nullish(),
  allowed_logout_urls: z.array(text).nullish(),
  web_origins: z.array(text).nullish(),
  grant_types: z.array(text).nullish(),
  token_endpoint_auth_method: optionalText,
  client_secret: optionalText,
});
export type ShownClient = z.infer<typeof shownClientSchema>;

/** A page of clients. */
export const clientPageSchema = z.looseObject({ clients: z.array(shownClientSchema), next: text.optional() });

/** A connection. */
export const shownConnectionSchema = z.looseObject({
  id: text,
  name: text,
  strategy: text,
  display_name: optionalText,
  options: metadata.nullish(),
  enabled_clients: z.array(text).nullish(),
  show_as_button: z.boolean().nullish(),
  is_domain_connection: z.boolean().nullish(),
});
export type ShownConnection = z.infer<typeof shownConnectionSchema>;
export const shownConnectionsSchema = z.array(shownConnectionSchema);

/** A page of connections. */
export const connectionPageSchema = z.looseObject({ connections: shownConnectionsSchema, next: text.optional() });

/** A ticket: a link for a user. */
export const shownTicketSchema = z.looseObject({ ticket: text });

/** A tenant of the control plane. */
export const shownTenantSchema = z.looseObject({ id: text, name: optionalText, friendly_name: optionalText, created_at: optionalText });
export type ShownTenant = z.infer<typeof shownTenantSchema>;

/** A page of tenants. */
export const tenantPageSchema = z.looseObject({ tenants: z.array(shownTenantSchema), total: z.number() });
