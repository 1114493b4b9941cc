import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { checkSecretsStay } from "./destinations.ts";
import { optionsBody } from "./options.ts";
import { splitSecrets } from "./secrets.ts";
import { strategies } from "./strategies.ts";
import { isUpstream, strategyNamed } from "./upstream.ts";
import { metadataSchema } from "../fields.ts";
import { describeIssue, issueText } from "../issue-text.ts";
import { omitMembers } from "../omit-members.ts";
import { fact, invalidBody, mergeMetadata, readStored } from "../settings.ts";
import {
  connectionSettings,
  hasButton,
  connectionMetadataKey,
  settings,
  storedMetadata,
  storedConnectionSettingsSchema,
} from "./settings.ts";
import { clientIdSchema } from "../clients/client-id.ts";

/** Auth0's strategies. A connection with a strategy that neither Postern nor the host knows is stored and has no effect. */
const auth0Strategies = (
  "ad adfs amazon apple dropbox bitbucket auth0-oidc auth0 baidu bitly box custom daccount dwolla email evernote-sandbox evernote exact " +
  "facebook fitbit github google-apps google-oauth2 instagram ip line linkedin oauth1 oauth2 office365 oidc okta paypal paypal-sandbox " +
  "pingfederate planningcenter salesforce-community salesforce-sandbox salesforce samlp sharepoint shopify shop sms soundcloud " +
  "thirtysevensignals twitter untappd vkontakte waad weibo windowslive wordpress yahoo yandex"
).split(" ");

/** Whether a strategy is one of Auth0's that Postern only stores. The host application can pass its protocol. */
export function isStoredOnlyStrategy(name: string): boolean {
  const known = strategyNamed(name);
  return known === undefined ? auth0Strategies.includes(name) : known.kind === "stored-only";
}

const metadataChange = z.record(connectionMetadataKey, z.string().max(255).nullable());

const displayName = z.string().max(128);
const clientIds = z.array(clientIdSchema);

/** A connection as the Management API returns it, without its secrets. */
export const connectionSchema = z
  .strictObject({
    id: fact(z.string()),
    name: fact(z.string()),
    strategy: fact(z.string()),
    display_name: fact(displayName).exactOptional(),
    options: metadataSchema,
    enabled_clients: clientIds,
    ...z.object({ ...settings, metadata: storedMetadata }).exactPartial().shape,
    realms: settings.realms,
    is_domain_connection: settings.is_domain_connection,
  })
  .meta({ id: "Connection" });

/**
 * The body of `PATCH /api/v2/connections/{id}`. `options` are replaced as a whole, but omitted secrets stay stored. An
 * option that is `null` counts as omitted.
 */
export const updateConnectionSchema = z
  .strictObject({
    display_name: displayName,
    options: metadataSchema.nullable(),
    enabled_clients: clientIds.nullable(),
    metadata: metadataChange,
    ...settings,
  })
  .exactPartial()
  .meta({ id: "UpdateConnection" });

/** The body of `POST /api/v2/connections`. {@link fromCreateConnection} validates the options for the strategy. */
export const createConnectionSchema = z
  .strictObject({
    ...updateConnectionSchema.shape,
    name: z
      .string()
      .max(128)
      .regex(/^[a-zA-Z0-9](-?[a-zA-Z0-9])*$/, "must be letters, digits and single dashes between them"),
    strategy: z.enum([...new Set([...auth0Strategies, ...Object.keys(strategies)])]),
    options: metadataSchema.exactOptional(),
    enabled_clients: clientIds.exactOptional(),
  })
  .meta({ id: "CreateConnection" });

/** Converts a row to the Management API format. */
export function toConnection(row: Row<"connections">, enabledClients: readonly string[]): z.infer<typeof connectionSchema> {
  return {
    id: row.id,
    name: row.name,
    strategy: row.strategy,
    ...(row.display_name !== "" && { display_name: row.display_name }),
    options: row.options,
    enabled_clients: [...enabledClients],
    ...connectionSettings(row),
  };
}

/**
 * The columns of a connection that a caller may change, and its secrets. The caller of this module seals the secrets.
 */
interface ConnectionChange {
  readonly record: { readonly display_name: string; readonly options: JsonObject; readonly settings: JsonObject; readonly listed: boolean };
  /**
   * The secrets in the body, by their paths. `null` removes a secret that is an empty string in the body. Empty if the
   * body has no secrets.
   */
  readonly secrets: JsonObject;
}

/** The caller-provided columns of a new connection, and its secrets. */
interface NewConnection extends ConnectionChange {
  readonly record: ConnectionChange["record"] & { readonly name: string; readonly strategy: string };
}

/**
 * Returns the columns of a new row that the caller sets.
 * @throws {PosternError} `invalid_request` if the options are invalid for the strategy.
 */
export function fromCreateConnection(body: z.infer<typeof createConnectionSchema>): NewConnection {
  const { name, strategy, display_name = "", options: sent = {}, enabled_clients: _elsewhere, metadata, ...rest } = body;
  const { options, secrets } = readOptions(strategy, { ...strategyNamed(strategy)?.defaults, ...withoutNulls(sent) });
  const settings = {
    realms: [name],
    is_domain_connection: false,
    ...rest,
    ...(metadata && { metadata: mergeMetadata("metadata", {}, metadata) }),
  };
  return {
    record: {
      name,
      strategy,
      display_name,
      options,
      settings,
      listed: isListed(strategy, settings.show_as_button),
    },
    secrets,
  };
}

/**
 * Returns the columns that an update changes. Omitted fields stay unchanged.
 * @throws {PosternError} `invalid_request` if the options are invalid for the strategy.
 */
export function fromUpdateConnection(row: Row<"connections">, body: z.infer<typeof updateConnectionSchema>): ConnectionChange {
  const { display_name = row.display_name, options: sent, enabled_clients: _elsewhere, metadata: change, ...rest } = body;
  const changed =
    sent === undefined
      ? { options: row.options, secrets: {} }
      : readOptions(row.strategy, sent === null ? (strategyNamed(row.strategy)?.defaults ?? {}) : withoutNulls(sent));
  if (sent !== undefined) checkSecretsStay(row, changed.options, changed.secrets);
  const stored = readStored(storedConnectionSettingsSchema, row.settings);
  const { show_as_button: shown = stored.show_as_button } = rest;
  return {
    record: {
      display_name,
      options: changed.options,
      settings: { ...row.settings, ...rest, ...(change && { metadata: mergeMetadata("metadata", stored.metadata ?? {}, change) }) },
      listed: isListed(row.strategy, shown),
    },
    secrets: changed.secrets,
  };
}

/**
 * Whether the login pages offer a connection to every visitor. This applies to all connections with local accounts, and
 * to identity providers that have a button.
 */
function isListed(strategy: string, shown: boolean | undefined): boolean {
  return !isUpstream({ strategy }) || hasButton({ strategy }, shown);
}

/** The options whose content the caller defines. Inside them, `null` is a value. */
const freeForm = new Set(["authParams", "idpinitiated", "oidc_metadata", "upstream_params"]);

/** Removes the options that are `null`, because Auth0's Terraform provider sends options that are not set as `null`. */
function withoutNulls(options: JsonObject): JsonObject {
  return omitMembers(options, (value) => value === null, freeForm);
}

function readOptions(strategy: string, options: JsonObject) {
  const issue = optionsBody(strategy).safeParse(options, { error: issueText, reportInput: true }).error?.issues[0];
  if (issue === undefined) return splitSecrets(options);
  throw invalidBody(describeIssue({ ...issue, path: ["options", ...issue.path] }));
}
