import * as z from "zod";
import { honouredDatabaseOptions } from "./database-options.ts";
import { Metadata } from "./fields.ts";
import { WebUrlOrEmpty } from "./registered-urls.ts";
import { kept, keptAll } from "./settings.ts";

const flag = z.boolean();
const active = z.strictObject({ active: flag }).exactPartial();
const stringMap = z.record(z.string(), z.string());

function text(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum);
}

const script = z.string().min(1);

const keptDatabaseOptions = keptAll({
  configuration: stringMap,
  customScripts: z
    .strictObject({
      login: script,
      get_user: script,
      delete: script,
      change_password: script,
      verify: script,
      create: script,
      change_username: script,
      change_email: script,
      change_phone_number: script,
    })
    .exactPartial(),
  disable_self_service_change_password: flag,
  disable_signup: flag,
  enable_script_context: flag,
  enabledDatabaseCustomization: flag,
  import_mode: flag,
  mfa: z.strictObject({ active: flag, return_enroll_settings: flag }).exactPartial(),
  non_persistent_attrs: z.array(z.string()),
  passkey_options: z
    .strictObject({
      challenge_ui: z.enum(["both", "autofill", "button"]),
      progressive_enrollment_enabled: flag,
      local_enrollment_enabled: flag,
    })
    .exactPartial()
    .nullable(),
  precedence: z
    .array(z.enum(["email", "phone_number", "username"]))
    .length(3)
    .refine((order) => new Set(order).size === order.length, "must name each identifier once"),
  realm_fallback: flag,
  set_user_root_attributes: z.enum(["on_each_login", "on_first_login", "never_on_login"]),
  strategy_version: z.int(),
  upstream_params: Metadata.nullable(),
  validation: z
    .strictObject({
      username: z
        .strictObject({ min: z.int().min(1), max: z.int().max(128) })
        .nullable()
        .exactOptional(),
    })
    .nullable(),
});

const database = { ...honouredDatabaseOptions, ...keptDatabaseOptions };

const totp = z.strictObject({ length: z.int().min(4).max(40), time_step: z.int().min(60) }).exactPartial();

const email = {
  authParams: z.union([text(1, 1024), Metadata]),
  brute_force_protection: flag,
  disable_signup: flag,
  email: z.strictObject({ body: text(1, 20_480), from: text(1, 1024), subject: text(1, 1024), syntax: z.literal("liquid") }).exactPartial(),
  name: text(3, 128),
  totp,
};

const sms = {
  brute_force_protection: flag,
  disable_signup: flag,
  forward_req_info: flag,
  from: text(1, 128),
  gateway_authentication: z
    .strictObject({
      audience: text(1, 128),
      method: text(1, 20),
      // Required by the vendor, which shows it again. Here it is not shown, so what was read must be accepted without it.
      secret: text(1, 5120).exactOptional(),
      secret_base64_encoded: flag.exactOptional(),
      subject: text(1, 64).exactOptional(),
    })
    .nullable(),
  gateway_url: WebUrlOrEmpty,
  messaging_service_sid: z.string().regex(/^MG[0-9a-fA-F]{32}$/, "must be MG and 32 hexadecimal digits"),
  name: text(1, 255),
  provider: z.enum(["sms_gateway", "twilio"]),
  syntax: z.enum(["liquid", "md_with_macros"]),
  template: text(1, 5120),
  totp,
  twilio_sid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits"),
  twilio_token: text(32, 2048),
};

const secret = z.string().max(10_000).nullable();
const aliases = z.array(z.string().max(256)).max(50_001);
const scopes = z.union([z.string().max(4096), z.array(z.string().max(255)).max(255)]);
const iconUrl = z.union([z.literal(""), z.url({ protocol: /^https$/, error: "must be an https URL" }).max(255)]);

/** What every upstream provider knows. */
const upstream = {
  client_id: z.string().max(1024).nullable(),
  client_secret: secret,
  domain_aliases: aliases,
  icon_url: iconUrl,
  scope: scopes,
  freeform_scopes: z.array(z.string().max(2560)).max(1024),
  upstream_params: Metadata.nullable(),
};

const signatureAlgorithm = z.enum(["ES256", "ES384", "PS256", "PS384", "RS256", "RS384", "RS512"]);

const oidc = {
  ...upstream,
  scope: z.string().max(255),
  authorization_endpoint: WebUrlOrEmpty,
  token_endpoint: WebUrlOrEmpty,
  userinfo_endpoint: WebUrlOrEmpty,
  jwks_uri: WebUrlOrEmpty,
  discovery_url: WebUrlOrEmpty,
  issuer: z.string().max(2048),
  connection_settings: z.looseObject({ pkce: z.enum(["auto", "S256", "plain", "disabled"]).exactOptional() }),
  dpop_signing_alg: z.enum(["ES256", "ES384", "ES512", "Ed25519"]),
  federated_connections_access_tokens: active.nullable(),
  id_token_session_expiry_supported: flag,
  id_token_signed_response_algs: z.array(signatureAlgorithm).nullable(),
  oidc_metadata: Metadata,
  send_back_channel_nonce: flag,
  tenant_domain: z.string().max(255),
  token_endpoint_auth_method: z.enum(["client_secret_post", "private_key_jwt"]).nullable(),
  token_endpoint_auth_signing_alg: signatureAlgorithm.nullable(),
  token_endpoint_jwtca_aud_format: z.enum(["issuer", "token_endpoint"]),
  attribute_map: z.looseObject({
    attributes: Metadata.exactOptional(),
    mapping_mode: z.enum(["bind_all", "use_map"]).exactOptional(),
    userinfo_scope: z.string().max(255).exactOptional(),
  }),
  type: z.enum(["back_channel", "front_channel"]),
};

const oauth2 = {
  ...upstream,
  authorizationURL: WebUrlOrEmpty,
  tokenURL: WebUrlOrEmpty,
  logoutUrl: iconUrl,
  authParams: stringMap,
  authParamsMap: stringMap,
  customHeaders: stringMap,
  fieldsMap: stringMap,
  pkce_enabled: flag,
  scripts: z.looseObject({
    fetchUserProfile: z.string().max(51_200).exactOptional(),
    getLogoutUrl: z.string().max(51_200).exactOptional(),
  }),
  useOauthSpecScope: flag,
};

const samlp = {
  ...upstream,
  cert: z.string().max(10_240),
  signingCert: z.string().max(10_240),
  decryptionKey: z.union([
    z.string().max(10_240),
    z.looseObject({ cert: z.string().max(10_240), key: z.string().max(10_240) }).exactPartial(),
  ]),
  signing_key: z.looseObject({ cert: z.string().max(10_240), key: z.string().max(10_240) }).exactPartial(),
  digestAlgorithm: z.enum(["sha1", "sha256"]),
  signatureAlgorithm: z.enum(["rsa-sha1", "rsa-sha256"]),
  entityId: z.string().max(128),
  idpinitiated: Metadata,
  protocolBinding: z.enum(["urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"]),
  signInEndpoint: WebUrlOrEmpty,
  signOutEndpoint: WebUrlOrEmpty,
  destinationUrl: WebUrlOrEmpty,
  recipientUrl: WebUrlOrEmpty,
  metadataUrl: WebUrlOrEmpty,
  metadataXml: z.string().max(102_400),
  requestTemplate: z.string().max(10_240),
  signSAMLRequest: flag,
  debug: flag,
  deflate: flag,
  disableSignout: flag,
  fieldsMap: z.record(z.string(), z.union([z.string().max(2048), z.array(z.string().max(2048)).max(4)])),
  thumbprints: z.array(z.string().regex(/^[0-9a-fA-F]{40}$/, "must be 40 hexadecimal digits")).max(1),
  user_id_attribute: z.string().max(2396),
};

const waad = {
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

const google = { ...upstream, allowed_audiences: z.array(text(1, 255)).min(1).max(64) };
const apple = {
  ...upstream,
  scope: z.string().max(91_260),
  app_secret: secret,
  kid: z.string().max(1536).nullable(),
  team_id: z.string().max(256).nullable(),
};
const windowslive = { ...upstream, strategy_version: z.int().min(1).max(2), signin: z.literal(true) };

const databaseBody = z
  .strictObject(database)
  .exactPartial()
  .superRefine((options, context) => {
    if (options.password_options?.complexity?.max_length_exceeded === "truncate") {
      const path = ["password_options", "complexity", "max_length_exceeded"];
      context.addIssue({ code: "custom", path, message: "must be error: what counts of a password is never less than was typed" });
    }
    for (const older of ["requires_username", "validation"] as const) {
      if (options.attributes === undefined || options[older] === undefined) continue;
      context.addIssue({ code: "custom", path: [older], message: "must not be given together with attributes" });
    }
  });

/**
 * The options that a body may hold, by strategy. Logins go by those of password databases alone so far.
 * What Postern serves itself takes no unknown option, so that a typing error is found;
 * upstream strategies keep what they do not know, because the vendor's tools write back whatever they read.
 */
const bodies: { readonly [strategy: string]: z.ZodType } = {
  auth0: databaseBody,
  email: kept(z.strictObject(email).exactPartial()),
  sms: kept(z.strictObject(sms).exactPartial()),
  oidc: kept(z.looseObject(oidc).exactPartial()),
  okta: kept(z.looseObject(oidc).exactPartial()),
  oauth2: kept(z.looseObject(oauth2).exactPartial()),
  samlp: kept(z.looseObject(samlp).exactPartial()),
  waad: kept(z.looseObject(waad).exactPartial()),
  "google-oauth2": kept(z.looseObject(google).exactPartial()),
  apple: kept(z.looseObject(apple).exactPartial()),
  windowslive: kept(z.looseObject(windowslive).exactPartial()),
};
const otherBody = kept(z.looseObject(upstream).exactPartial());

/** The schema of the options that a body may hold for a strategy. */
export function optionsBody(strategy: string): z.ZodType {
  return bodies[strategy] ?? otherBody;
}
