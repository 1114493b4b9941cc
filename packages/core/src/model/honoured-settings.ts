import * as z from "zod";
import { BruteForceProtection, SuspiciousIpThrottling } from "./tenant/attack-protection.ts";
import { Branding } from "./tenant/branding.ts";
import { BreachedPasswordDetection } from "./tenant/breached-passwords.ts";
import { Client } from "./clients/bodies.ts";
import { ClientGrant } from "./grants/client-grants.ts";
import { optionsBody } from "./connections/options.ts";
import { Connection } from "./connections/connections.ts";
import { CustomDomain } from "./tenant/custom-domains.ts";
import { EmailProvider } from "./tenant/email-provider.ts";
import { EmailTemplate } from "./tenant/email-templates.ts";
import { Organization } from "./organizations/organizations.ts";
import { Partials } from "./prompts/bodies.ts";
import { Rendering } from "./prompts/rendering.ts";
import { PromptSettings } from "./prompts/settings.ts";
import { PageTemplate } from "./tenant/page-template.ts";
import { ResourceServer } from "./apis/resource-servers.ts";
import { themeSettings } from "./honoured-theme.ts";
import { keptMark } from "./settings.ts";
import { TenantSettingsReply } from "./tenant/settings-bodies.ts";

/** A record of the Management API with settings. */
export interface SettingsOf {
  /** As people call it. */
  readonly record: string;
  /** What replies show. Settings that nothing goes by are marked in it (`kept` in settings.ts). */
  readonly schema: z.ZodType;
  /** What is shown and is no setting: what a record is, and what became of it. */
  readonly facts: readonly string[];
  /** The file that goes by a setting, below `packages/core/src`: what the setting says happens there. */
  readonly honoured: { readonly [setting: string]: string };
}

const quota = (path: string) => ({
  [`${path}.client_credentials.enforce`]: "issuing/token-quota.ts",
  [`${path}.client_credentials.per_day`]: "domain/tokens/token-quota.ts",
  [`${path}.client_credentials.per_hour`]: "domain/tokens/token-quota.ts",
});

const at = (file: string, paths: readonly string[]): SettingsOf["honoured"] => Object.fromEntries(paths.map((path) => [path, file]));

const provider: SettingsOf["honoured"] = {
  ...at("domain/upstream/provider.ts", ["client_id", "client_secret"]),
  ...at("model/connections/strategies/provider.ts", ["scope", "freeform_scopes"]),
  domain_aliases: "model/connections/upstream.ts",
  upstream_params: "login/upstream/upstream-parameters.ts",
  disable_signup: "domain/login/upstream-login.ts",
  allow_callback_auth_time: "login/upstream/auth-time.ts",
  "federated_connections_access_tokens.active": "domain/upstream/upstream-tokens.ts",
  set_user_root_attributes: "domain/users/upstream-account.ts",
};

const codes = {
  disable_signup: "domain/login/code-address.ts",
  "totp.length": "model/connections/strategies/passwordless-options.ts",
  "totp.time_step": "model/connections/strategies/passwordless-options.ts",
};

const mail = { "email.body": "mail/own-words.ts", "email.from": "mail/own-words.ts", "email.subject": "mail/own-words.ts" };

/** Every setting that is shown and that something goes by. A setting is here, or marked as kept for the vendor's tools, or no setting: a test compares. */
export const settings: readonly SettingsOf[] = [
  {
    record: "client",
    schema: Client,
    facts: ["client_id", "tenant", "global", "name", "description"],
    honoured: {
      app_type: "issuing/callbacks.ts",
      is_first_party: "issuing/consent.ts",
      grant_types: "auth/token.ts",
      callbacks: "issuing/callbacks.ts",
      allowed_logout_urls: "auth/logout.ts",
      web_origins: "tenancy/client-origins.ts",
      allowed_origins: "tenancy/client-origins.ts",
      cross_origin_authentication: "auth/cross-origin/authenticate.ts",
      token_endpoint_auth_method: "auth/client-authentication.ts",
      is_token_endpoint_ip_header_trusted: "tenancy/forwarded-for.ts",
      "client_authentication_methods.private_key_jwt.credentials.id": "auth/client-authentication.ts",
      organization_usage: "issuing/organization.ts",
      organization_require_behavior: "auth/authorize/checks/organization.ts",
      "default_organization.organization_id": "auth/grants/client-credentials.ts",
      "default_organization.flows": "auth/grants/client-credentials.ts",
      logo_uri: "login/steps/consent/step.ts",
      tos_uri: "login/look.ts",
      policy_uri: "login/look.ts",
      initiate_login_uri: "management/organizations/invitations.ts",
      "jwt_configuration.alg": "issuing/person-tokens.ts",
      "jwt_configuration.lifetime_in_seconds": "issuing/person-tokens.ts",
      "refresh_token.rotation_type": "auth/grants/refresh-token.ts",
      "refresh_token.expiration_type": "domain/refresh-tokens/refresh-token.ts",
      "refresh_token.leeway": "domain/refresh-tokens/rotate.ts",
      "refresh_token.recovery_window": "domain/refresh-tokens/rotate.ts",
      "refresh_token.token_lifetime": "domain/refresh-tokens/refresh-token.ts",
      "refresh_token.infinite_token_lifetime": "domain/refresh-tokens/refresh-token.ts",
      "refresh_token.idle_token_lifetime": "domain/refresh-tokens/refresh-token.ts",
      "refresh_token.infinite_idle_token_lifetime": "domain/refresh-tokens/refresh-token.ts",
      ...quota("token_quota"),
    },
  },
  {
    record: "client grant",
    schema: ClientGrant,
    facts: ["id", "client_id", "audience"],
    honoured: {
      scope: "tenancy/rights.ts",
      subject_type: "tenancy/rights.ts",
      allow_all_scopes: "tenancy/rights.ts",
      organization_usage: "auth/grants/client-credentials.ts",
      allow_any_organization: "tenancy/rights.ts",
    },
  },
  {
    record: "API (resource server)",
    schema: ResourceServer,
    facts: ["id", "identifier", "name", "is_system"],
    honoured: {
      "scopes.value": "tenancy/rights.ts",
      "scopes.description": "issuing/scopes.ts",
      signing_alg: "issuing/person-tokens.ts",
      allow_offline_access: "issuing/person-scopes.ts",
      skip_consent_for_verifiable_first_party_clients: "issuing/consent.ts",
      token_lifetime: "issuing/person-tokens.ts",
      token_lifetime_for_web: "issuing/person-tokens.ts",
      enforce_policies: "tenancy/rights.ts",
      token_dialect: "domain/tokens/access-token.ts",
      "subject_type_authorization.user.policy": "tenancy/rights.ts",
      "subject_type_authorization.client.policy": "tenancy/rights.ts",
      metadata: "tenancy/inheritance/kept.ts",
    },
  },
  {
    record: "connection",
    schema: Connection,
    facts: ["id", "name", "strategy", "display_name", "options"],
    honoured: { enabled_clients: "management/connections/connections.ts", show_as_button: "login/upstream/providers.ts" },
  },
  {
    record: "options of a password database (strategy `auth0`)",
    schema: optionsBody("auth0"),
    facts: [],
    honoured: {
      "attributes.email.identifier.active": "domain/login/identifier.ts",
      "attributes.phone_number.identifier.active": "domain/login/identifier.ts",
      "attributes.username.identifier.active": "domain/login/identifier.ts",
      "attributes.email.profile_required": "domain/users/sign-up-fields.ts",
      "attributes.email.signup.status": "domain/users/sign-up-fields.ts",
      "attributes.email.signup.verification.active": "auth/dbconnections/signup-mail.ts",
      "attributes.phone_number.profile_required": "domain/users/sign-up-fields.ts",
      "attributes.phone_number.signup.status": "domain/users/sign-up-fields.ts",
      "attributes.username.profile_required": "domain/users/sign-up-fields.ts",
      "attributes.username.signup.status": "domain/users/sign-up-fields.ts",
      "attributes.username.validation.min_length": "domain/users/username.ts",
      "attributes.username.validation.max_length": "domain/users/username.ts",
      "attributes.username.validation.allowed_types.email": "domain/users/username.ts",
      "attributes.username.validation.allowed_types.phone_number": "domain/users/username.ts",
      "validation.username.min": "domain/users/username.ts",
      "validation.username.max": "domain/users/username.ts",
      disable_signup: "domain/users/sign-up-fields.ts",
      import_mode: "domain/users/sign-up-fields.ts",
      requires_username: "domain/login/identifier.ts",
      "authentication_methods.password.enabled": "login/possible-proofs.ts",
      "authentication_methods.password.signup_behavior": "login/steps/create-account/step.ts",
      "authentication_methods.email_otp.enabled": "domain/login/code-address.ts",
      "authentication_methods.phone_otp.enabled": "domain/login/code-address.ts",
      brute_force_protection: "domain/login/reserve-login.ts",
      disable_self_service_change_password: "domain/passwords/self-service.ts",
      passwordPolicy: "domain/passwords/policy.ts",
      "password_complexity_options.min_length": "domain/passwords/policy.ts",
      "password_dictionary.enable": "domain/passwords/policy.ts",
      "password_dictionary.dictionary": "domain/passwords/policy.ts",
      "password_history.enable": "domain/passwords/policy.ts",
      "password_history.size": "domain/passwords/policy.ts",
      "password_no_personal_info.enable": "domain/passwords/policy.ts",
      "password_options.complexity.min_length": "domain/passwords/strength.ts",
      "password_options.complexity.character_types": "domain/passwords/strength.ts",
      "password_options.complexity.character_type_rule": "domain/passwords/strength.ts",
      "password_options.complexity.identical_characters": "domain/passwords/strength.ts",
      "password_options.complexity.sequential_characters": "domain/passwords/strength.ts",
      "password_options.dictionary.active": "domain/passwords/policy.ts",
      "password_options.dictionary.custom": "domain/passwords/policy.ts",
      "password_options.dictionary.default": "domain/passwords/policy.ts",
      "password_options.history.active": "domain/passwords/policy.ts",
      "password_options.history.size": "domain/passwords/policy.ts",
      "password_options.profile_data.active": "domain/passwords/policy.ts",
      "password_options.profile_data.blocked_fields": "domain/passwords/policy.ts",
    },
  },
  {
    record: "options of codes by mail (strategy `email`)",
    schema: optionsBody("email"),
    facts: ["email.syntax"],
    honoured: { ...codes, ...mail },
  },
  {
    record: "options of codes by SMS (strategy `sms`)",
    schema: optionsBody("sms"),
    facts: [],
    honoured: { ...codes, template: "mail/own-words.ts" },
  },
  ...(
    [
      ["Google, GitHub, Facebook and LinkedIn (`google-oauth2`, `github`, `facebook`, `linkedin`)", "google-oauth2", {}],
      ["personal accounts of Microsoft (strategy `windowslive`)", "windowslive", {}],
      ["Apple (strategy `apple`)", "apple", at("domain/upstream/provider.ts", ["app_secret", "kid", "team_id"])],
      [
        "Microsoft Entra ID (strategy `waad`)",
        "waad",
        at("model/connections/strategies/waad.ts", [
          "should_trust_email_verified_connection",
          "tenant_domain",
          "tenantId",
          "useCommonEndpoint",
          "userid_attribute",
        ]),
      ],
      [
        "a provider of OpenID Connect (strategies `oidc` and `okta`)",
        "oidc",
        at("model/connections/strategies/oidc.ts", [
          "authorization_endpoint",
          "token_endpoint",
          "userinfo_endpoint",
          "jwks_uri",
          "discovery_url",
          "issuer",
          "connection_settings.pkce",
          "id_token_signed_response_algs",
          "domain",
          "tenant_domain",
          "token_endpoint_auth_method",
          "verified_by",
          "attribute_map.attributes",
        ]),
      ],
      [
        "a provider of OAuth 2.0 (strategy `oauth2`)",
        "oauth2",
        at("model/connections/strategies/oauth2.ts", [
          "authorizationURL",
          "tokenURL",
          "userinfo_endpoint",
          "authParams",
          "fieldsMap",
          "pkce_enabled",
        ]),
      ],
    ] satisfies readonly (readonly [whose: string, strategy: string, honoured: SettingsOf["honoured"]])[]
  ).map(([whose, strategy, honoured]) => ({
    record: `options of ${whose}`,
    schema: optionsBody(strategy),
    facts: [],
    honoured: { ...provider, ...honoured },
  })),
  { record: "options of any other connection", schema: optionsBody(""), facts: [], honoured: {} },
  {
    record: "organization",
    schema: Organization,
    facts: ["id", "name", "created_at", "updated_at", "enabled_connections.connection.name", "enabled_connections.connection.strategy"],
    honoured: {
      display_name: "model/organizations/branding.ts",
      "branding.logo_url": "look/branding.ts",
      "branding.logo_url_dark": "look/branding.ts",
      "branding.colors.primary": "look/branding.ts",
      "branding.colors.page_background": "look/branding.ts",
      "enabled_connections.connection_id": "login/steps/organization/enter.ts",
      "enabled_connections.assign_membership_on_login": "login/steps/organization/enter.ts",
      "enabled_connections.show_as_button": "login/upstream/providers.ts",
      ...quota("token_quota"),
    },
  },
  {
    record: "tenant",
    schema: TenantSettingsReply,
    facts: [],
    honoured: {
      friendly_name: "look/tenant-name.ts",
      // Shown in hours, kept and gone by in minutes.
      session_lifetime: "domain/sessions/session.ts",
      idle_session_lifetime: "domain/sessions/session.ts",
      ephemeral_session_lifetime: "domain/sessions/session.ts",
      idle_ephemeral_session_lifetime: "domain/sessions/session.ts",
      "session_cookie.mode": "login/begin-session.ts",
      default_audience: "issuing/person-scopes.ts",
      default_directory: "login/possible-proofs.ts",
      default_redirection_uri: "management/organizations/invitations.ts",
      allowed_logout_urls: "auth/logout.ts",
      support_url: "look/support.ts",
      support_email: "look/support.ts",
      enabled_locales: "login/look.ts",
      form_of_address: "login/look.ts",
      new_device_notification: "login/note-device.ts",
      "flags.enable_client_connections": "management/clients/clients.ts",
      "flags.enforce_client_authentication_on_passwordless_start": "auth/passwordless/start.ts",
      "oidc_logout.rp_logout_end_session_endpoint_discovery": "auth/discovery.ts",
      allow_organization_name_in_authentication_api: "issuing/organization.ts",
      ...quota("default_token_quota.clients"),
      ...quota("default_token_quota.organizations"),
    },
  },
  {
    record: "branding",
    schema: Branding,
    facts: [],
    honoured: {
      logo_url: "look/branding.ts",
      logo_url_dark: "look/branding.ts",
      favicon_url: "look/branding.ts",
      "colors.primary": "look/branding.ts",
      "colors.page_background": "look/branding.ts",
      "colors.page_background.start": "look/branding.ts",
      "colors.page_background.end": "look/branding.ts",
      "colors.page_background.angle_deg": "look/branding.ts",
      "font.url": "look/branding.ts",
    },
  },
  themeSettings,
  { record: "prompts", schema: PromptSettings, facts: [], honoured: {} },
  { record: "partials of a prompt", schema: Partials, facts: [], honoured: {} },
  { record: "rendering of a screen", schema: Rendering, facts: ["tenant", "prompt", "screen"], honoured: {} },
  { record: "template of the login pages", schema: PageTemplate, facts: [], honoured: {} },
  {
    record: "brute-force protection",
    schema: BruteForceProtection,
    facts: [],
    honoured: {
      enabled: "domain/login/reserve-login.ts",
      shields: "domain/login/reserve-login.ts",
      allowlist: "domain/login/reserve-login.ts",
      max_attempts: "domain/login/reserve-login.ts",
    },
  },
  {
    record: "suspicious IP throttling",
    schema: SuspiciousIpThrottling,
    facts: [],
    honoured: {
      enabled: "domain/attack-protection/rate-limit.ts",
      shields: "domain/attack-protection/rate-limit.ts",
      allowlist: "domain/attack-protection/rate-limit.ts",
    },
  },
  {
    record: "breached-password detection",
    schema: BreachedPasswordDetection,
    facts: [],
    honoured: {
      enabled: "domain/users/passwords.ts",
      "stage.pre-user-registration.shields": "domain/users/passwords.ts",
      "stage.pre-change-password.shields": "domain/users/passwords.ts",
    },
  },
  {
    record: "custom domain",
    schema: CustomDomain,
    facts: "custom_domain_id domain primary is_default status type verification created_at".split(" "),
    honoured: {},
  },
  {
    record: "e-mail provider",
    schema: EmailProvider,
    // Handed to the host's sender as they are.
    facts: ["credentials"],
    honoured: { name: "mail/send.ts", enabled: "mail/send.ts", default_from_address: "mail/send.ts", settings: "mail/send.ts" },
  },
  {
    record: "e-mail template",
    schema: EmailTemplate,
    facts: ["template", "syntax"],
    honoured: { body: "mail/own-words.ts", subject: "mail/own-words.ts", from: "mail/own-words.ts", enabled: "mail/own-words.ts" },
  },
];

/** One thing that a reply shows. */
export interface Shown {
  /** `refresh_token.leeway`; '' for the whole. */
  readonly path: string;
  /** Nothing goes by it, nor by anything below it. */
  readonly kept: boolean;
}

/** What of a JSON schema is looked at here. */
const Node = z.looseObject({
  $ref: z.string().exactOptional(),
  anyOf: z.array(z.unknown()).exactOptional(),
  properties: z.record(z.string(), z.unknown()).exactOptional(),
  items: z.unknown().exactOptional(),
  type: z.unknown().exactOptional(),
  const: z.unknown().exactOptional(),
  [keptMark]: z.boolean().exactOptional(),
});

/** Everything that a schema shows, each once, as deep as objects go. What can have one value alone says nothing. */
export function shownBy(schema: z.ZodType): readonly Shown[] {
  const whole = Node.parse(z.toJSONSchema(schema, { unrepresentable: "any" }));
  const definitions = z.record(z.string(), z.unknown()).parse(whole["$defs"] ?? {});
  const walk = (value: unknown, path: string): readonly Shown[] => {
    const node = Node.parse(value);
    if (node[keptMark] === true) return [{ path, kept: true }];
    if (node.$ref !== undefined) return walk(definitions[node.$ref.replace("#/$defs/", "")], path);
    if (node.anyOf !== undefined) return node.anyOf.flatMap((branch) => walk(branch, path));
    if (node.properties !== undefined) {
      return Object.entries(node.properties).flatMap(([name, inner]) => walk(inner, path === "" ? name : `${path}.${name}`));
    }
    const item = node.items === undefined ? undefined : Node.parse(node.items);
    if (item?.properties !== undefined || item?.$ref !== undefined) return walk(item, path);
    return node.type === "null" || node.const !== undefined ? [] : [{ path, kept: false }];
  };
  const shown = walk(whole, "");
  return shown.filter(({ path }, index) => shown.findIndex((other) => other.path === path) === index);
}
