import * as z from "zod";
import { credentialListSchema } from "./credentials.ts";
import {
  clearableClientSettings,
  clientMetadataSchema,
  clientMetadataKey,
  metadataValue,
  plainClientSettings,
  resourceServerIdentifierSchema,
  storedClientSettingsSchema,
  vaultFields,
} from "./all-settings.ts";
import { jwtConfigurationSchema, oidcLogoutSchema, signedRequestObjectSchema } from "./settings.ts";
import { refreshTokenBodySchema } from "./refresh-token-settings.ts";
import { callbackUrlSchema, httpsUrlOrEmptySchema, limitedUrls, logoutUrlSchema, originSchema } from "./registered-urls.ts";
import { withMaximumKeys } from "../member-count.ts";
import { webUrl } from "../fields.ts";
import { fact, maximumMetadataKeys, nullableFields } from "../settings.ts";

const applicationTypes = (
  "native spa regular_web non_interactive resource_server express_configuration rms box cloudbees concur dropbox mscrm echosign egnyte " +
  "newrelic office365 salesforce sentry sharepoint slack springcm zendesk zoom sso_integration oag"
).split(" ");

/** The fields that have a column and the same schema in request bodies and responses. */
const columns = {
  description: z.string().max(140),
  app_type: z.enum(applicationTypes),
  is_first_party: z.boolean(),
  grant_types: z.array(z.string().min(1).max(255)),
  callbacks: z.array(callbackUrlSchema),
  allowed_logout_urls: z.array(logoutUrlSchema),
  web_origins: z.array(originSchema),
  allowed_origins: z.array(originSchema),
};

/** The lists of URLs in a request body. */
const urlLists = {
  callbacks: limitedUrls(columns.callbacks),
  allowed_logout_urls: limitedUrls(columns.allowed_logout_urls),
  web_origins: limitedUrls(columns.web_origins),
  allowed_origins: limitedUrls(columns.allowed_origins),
};

const backchannelLogoutUrlSchema = httpsUrlOrEmptySchema.refine((url) => !/[{#]/.test(url), "must not contain placeholders or a fragment");

const oidcLogoutBodySchema = oidcLogoutSchema.extend({
  backchannel_logout_urls: limitedUrls(z.array(backchannelLogoutUrlSchema)).exactOptional(),
});

const name = z
  .string()
  .max(255)
  .regex(/^[^<>]+$/, "must not be empty or contain < or >");

/**
 * How a client sends its secret, or `none` if it does not authenticate. `private_key_jwt` is an extension of Postern: the keys
 * are those at `jwks_uri`.
 */
export const clientAuthenticationMethodSchema = z.enum(["none", "client_secret_post", "client_secret_basic", "private_key_jwt"]);

/** Whether users sign in to a client as members of an organization. The default is `allow`. */
export const organizationUsageSchema = z.enum(["deny", "allow", "require"]);

/** How an external client was registered: by its metadata document, or by dynamic client registration. */
export const externalMetadataTypeSchema = z.enum(["cimd", "dcr"]);

/** Who registered an external client. */
export const externalMetadataCreatorSchema = z.enum(["admin", "client"]);

const jwksUriText =
  "The https URL of the client's public keys (RFC 7517), for `token_endpoint_auth_method: private_key_jwt` and for request objects. Cached as long as the response allows, for a minute to a day. Postern accepts it in requests; Auth0 does not";

const { credentials: _keys, ...shownSettings } = storedClientSettingsSchema.shape;

/** A client as the Management API returns it, without its secret. */
export const clientSchema = z
  .strictObject({
    client_id: fact(z.string()),
    tenant: fact(z.string()),
    global: fact(z.boolean()),
    name: fact(z.string()),
    ...columns,
    ...z
      .object({
        description: fact(columns.description),
        app_type: columns.app_type,
        token_endpoint_auth_method: clientAuthenticationMethodSchema,
        organization_usage: organizationUsageSchema,
        external_client_id: fact(z.string()).meta({
          description: "The URL of the client's metadata document: its client id in requests and tokens",
        }),
        jwks_uri: z.string().meta({ description: jwksUriText }),
        external_metadata_type: fact(externalMetadataTypeSchema),
        external_metadata_created_by: fact(externalMetadataCreatorSchema),
        blocked: z
          .boolean()
          .meta({ description: "Present and true if the client is blocked: it can neither sign users in nor use its tokens" }),
      })
      .exactPartial().shape,
    ...shownSettings,
  })
  .meta({ id: "Client" });

/**
 * A client with its secret. Only the responses to creating the client and to rotating its secret contain the secret.
 */
export const clientWithSecretSchema = clientSchema.extend({ client_secret: z.string().exactOptional() }).meta({ id: "ClientWithSecret" });

/** The settings of ID tokens, in a request body. */
const jwtConfigurationBodySchema = jwtConfigurationSchema.exactPartial();

const certificatesUnsupported = z.never({ error: "is not supported: Postern has no mutual TLS; use private_key_jwt" }).exactOptional();

/** The authentication methods other than a secret, in a request body. */
const authenticationMethodsBodySchema = z.strictObject({
  tls_client_auth: certificatesUnsupported,
  self_signed_tls_client_auth: certificatesUnsupported,
  private_key_jwt: z.strictObject({ credentials: credentialListSchema }),
});

/** The keys for request objects, in a request body. */
const signedRequestObjectBodySchema = signedRequestObjectSchema.extend({ credentials: credentialListSchema.exactOptional() });

/** The keys of Auth0's token vault, in a request body. */
const tokenVaultBodySchema = z.strictObject({ credentials: credentialListSchema, ...vaultFields });

/** The metadata of a new client. */
const clientMetadataBodySchema = withMaximumKeys(clientMetadataSchema, maximumMetadataKeys);

/** A change to a client's metadata. It is merged at the first level, where `null` removes a key. */
const clientMetadataChangeSchema = z.record(clientMetadataKey, metadataValue.nullable());

const body = z
  .strictObject({
    ...columns,
    ...urlLists,
    ...plainClientSettings,
    jwks_uri: webUrl("https", 2048).nullable().meta({ description: jwksUriText }),
    oidc_logout: oidcLogoutBodySchema,
    ...nullableFields(clearableClientSettings),
    jwt_configuration: jwtConfigurationBodySchema,
    refresh_token: refreshTokenBodySchema.nullable(),
    token_vault_privileged_access: tokenVaultBodySchema,
    signed_request_object: signedRequestObjectBodySchema,
    // An older name for `oidc_logout`.
    oidc_backchannel_logout: oidcLogoutBodySchema,
  })
  .exactPartial();

/** Requires that a body contains at most one of the two settings for client authentication. */
function inOneWay(
  value: { token_endpoint_auth_method?: string | null; client_authentication_methods?: object | null },
  context: z.RefinementCtx,
) {
  if (value.token_endpoint_auth_method && value.client_authentication_methods) {
    context.addIssue({
      code: "custom",
      path: ["token_endpoint_auth_method"],
      message: "must not be combined with client_authentication_methods",
    });
  }
}

/** What {@link inOneWay} requires, for the OpenAPI document. */
const inOneWayKeywords = {
  not: {
    properties: { token_endpoint_auth_method: { type: "string" }, client_authentication_methods: { type: "object" } },
    required: ["token_endpoint_auth_method", "client_authentication_methods"],
  },
};

/** The body of `POST /api/v2/clients`. */
export const createClientSchema = body
  .extend({
    name,
    client_metadata: clientMetadataBodySchema.exactOptional(),
    token_endpoint_auth_method: clientAuthenticationMethodSchema.exactOptional(),
    client_authentication_methods: authenticationMethodsBodySchema.exactOptional(),
    organization_usage: organizationUsageSchema.exactOptional(),
    resource_server_identifier: resourceServerIdentifierSchema.exactOptional(),
  })
  .superRefine(inOneWay)
  .meta({ id: "CreateClient", ...inOneWayKeywords });

/**
 * The body of `PATCH /api/v2/clients/{id}`. `null` removes a setting. `jwt_configuration`, `refresh_token` and
 * `client_metadata` are merged at their first level; all other settings are replaced.
 */
export const updateClientSchema = body
  .extend({
    name: name.exactOptional(),
    blocked: z.boolean().exactOptional(),
    client_secret: z.string().min(1).max(1024).exactOptional(),
    client_metadata: clientMetadataChangeSchema.exactOptional(),
    token_endpoint_auth_method: clientAuthenticationMethodSchema.nullable().exactOptional(),
    client_authentication_methods: authenticationMethodsBodySchema.nullable().exactOptional(),
    organization_usage: organizationUsageSchema.nullable().exactOptional(),
  })
  .superRefine(inOneWay)
  .meta({ id: "UpdateClient", ...inOneWayKeywords });
