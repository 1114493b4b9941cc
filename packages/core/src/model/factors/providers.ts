import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { changedDestination, mustNotNameUser, requireSecretsAgain, withoutUser, type SecretDestination } from "../secret-destinations.ts";
import { mergeSettings, nullableFields } from "../settings.ts";

const text = z.string().min(1).max(1000);

/** Settings that responses contain. */
const twilio = { from: z.string().max(64), messaging_service_sid: text, sid: text };
const sns = { aws_region: text, sns_apns_platform_application_arn: text, sns_gcm_platform_application_arn: text };
const apns = { sandbox: z.boolean(), bundle_id: text };
const duo = {
  ikey: z.string().max(10_000),
  host: z.string().max(10_000).regex(withoutUser, mustNotNameUser),
};

/** Secret credentials, which are stored encrypted and which responses do not contain. */
const twilioSecrets = { auth_token: text };
const snsSecrets = { aws_access_key_id: text, aws_secret_access_key: text };
const apnsSecrets = { p12: z.string().min(1).max(10_000) };
const duoSecrets = { skey: z.string().max(10_000) };
const fcmSecrets = { server_key: z.string().min(1).max(152) };
const fcmv1Secrets = { server_credentials: z.string().min(1).max(10_000) };

/** The Twilio account of a tenant, without its `auth_token`. */
export const twilioProviderSchema = z.strictObject(twilio).exactPartial().meta({ id: "FactorTwilioProvider" });

/** The body that replaces the Twilio account. */
export const setTwilioProviderSchema = z
  .strictObject(nullableFields({ ...twilio, ...twilioSecrets }))
  .exactPartial()
  .meta({ id: "SetFactorTwilioProvider" });

/** The Duo account of a tenant, without its `skey`. */
export const duoSettingsSchema = z.strictObject(duo).exactPartial().meta({ id: "DuoSettings" });

/** The body that replaces or updates the Duo account. */
export const setDuoSettingsSchema = z
  .strictObject(nullableFields({ ...duo, ...duoSecrets }))
  .exactPartial()
  .meta({ id: "SetDuoSettings" });

/** The account of a tenant at Amazon SNS, without its keys. */
export const snsProviderSchema = z.strictObject(sns).exactPartial().meta({ id: "SnsProvider" });

/** The body that replaces or updates the account at Amazon SNS. */
export const setSnsProviderSchema = z
  .strictObject(nullableFields({ ...sns, ...snsSecrets }))
  .exactPartial()
  .meta({ id: "SetSnsProvider" });

/** The account of a tenant at Apple's push service, without its certificate. */
export const apnsProviderSchema = z
  .strictObject({ ...apns, enabled: z.boolean().meta({ description: "Whether a certificate (`p12`) is stored" }) })
  .exactPartial()
  .meta({ id: "ApnsProvider" });

/** The body that replaces or updates the account at Apple's push service. */
export const setApnsProviderSchema = z
  .strictObject({ sandbox: apns.sandbox, ...nullableFields({ bundle_id: apns.bundle_id, ...apnsSecrets }) })
  .exactPartial()
  .meta({ id: "SetApnsProvider" });

/** The body that sets the server key of Firebase Cloud Messaging. */
export const setFcmProviderSchema = z.strictObject(nullableFields(fcmSecrets)).exactPartial().meta({ id: "SetFcmProvider" });

/** The body that sets the service account of Firebase Cloud Messaging (HTTP v1). */
export const setFcmv1ProviderSchema = z.strictObject(nullableFields(fcmv1Secrets)).exactPartial().meta({ id: "SetFcmv1Provider" });

/** A response without members: every setting of the service is secret. */
export const noSettingsSchema = z.strictObject({}).meta({ id: "FactorProviderWithoutSettings" });

/** A service that sends codes or notifications for factors. */
export interface FactorProviderDefinition {
  /** The names of the settings that responses contain. */
  readonly settings: readonly string[];
  /** The settings that determine where the secret credentials are sent. */
  readonly destination: SecretDestination;
}

const services = {
  twilio: { settings: Object.keys(twilio), destination: [] },
  duo: { settings: Object.keys(duo), destination: ["host"] },
  sns: { settings: Object.keys(sns), destination: [] },
  apns: { settings: Object.keys(apns), destination: [] },
  fcm: { settings: [], destination: [] },
  fcmv1: { settings: [], destination: [] },
} as const satisfies { readonly [name: string]: FactorProviderDefinition };

/** The name of a service, which is the name of its document. */
export type FactorProviderName = keyof typeof services;

/** The settings of a service in its document: those that responses contain, and the encrypted secrets by name. */
interface StoredProvider {
  readonly content: JsonObject;
  readonly secrets: JsonObject;
}

/** A change to the settings of a service. */
interface ProviderChange {
  /** The settings after the change, without secrets. */
  readonly content: JsonObject;
  /** The secrets to store, and `null` for those to remove. Other secrets stay stored. */
  readonly secrets: JsonObject;
}

/**
 * Separates the settings in a body from its secrets. `null` and an empty string remove a member. If the destination of
 * the secrets is removed, they are removed too.
 * @param stored the document before the change. Its settings stay unless the body contains them or `replace` is true.
 * @throws {PosternError} `invalid_request` if the change affects where a stored secret is sent, and the body does not
 * contain the secret.
 */
export function changeProvider(
  name: FactorProviderName,
  { content: before, secrets: sealed }: StoredProvider,
  body: JsonObject,
  replace: boolean,
): ProviderChange {
  const { settings: shown, destination }: FactorProviderDefinition = services[name];
  const entries = Object.entries(body).map(([member, value]) => [member, value === "" ? null : value] as const);
  const isShown = ([member]: readonly [string, unknown]): boolean => shown.includes(member);
  const content = mergeSettings(replace ? {} : before, Object.fromEntries(entries.filter(isShown)));
  const secrets = Object.fromEntries(entries.filter((entry) => !isShown(entry)));
  const changed = changedDestination(destination, before, content);
  const kept = Object.keys(sealed).filter((secret) => !Object.hasOwn(secrets, secret));
  if (changed.length > 0 && !destination.some((member) => Object.hasOwn(content, member)))
    return { content, secrets: { ...Object.fromEntries(kept.map((secret) => [secret, null])), ...secrets } };
  requireSecretsAgain(changed, kept);
  return { content, secrets };
}
