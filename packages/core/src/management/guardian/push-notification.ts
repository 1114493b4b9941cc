import type * as z from "zod";
import { changeMultifactor, multifactorSettings, selectedPushProviderSchema } from "../../model/factors/multifactor.ts";
import {
  apnsProviderSchema,
  noSettingsSchema,
  setApnsProviderSchema,
  setFcmProviderSchema,
  setFcmv1ProviderSchema,
  setSnsProviderSchema,
  snsProviderSchema,
} from "../../model/factors/providers.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeFactorProvider, findFactorProvider } from "./factor-providers.ts";

const path = "/api/v2/guardian/factors/push-notification";
const stored = "Only stored, for compatibility with Auth0: Postern sends no push notifications.";
const conflict = { 409: { error: "conflict" } } as const;

/** A method that changes a provider: `PUT` replaces its settings, `PATCH` keeps those that the body does not contain. */
const changes = [
  { method: "PUT", verb: "Replace", rule: "A body without a secret keeps the stored secret; `null` removes it." },
  { method: "PATCH", verb: "Update", rule: "Omitted members stay unchanged; `null` removes a member." },
] as const;

const selectedProvider = [
  route({
    method: "GET",
    path: `${path}/selected-provider`,
    summary: "Get the service for push notifications",
    description: stored,
    scopes: ["read:guardian_factors"],
    responses: { 200: selectedPushProviderSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).push),
  route({
    method: "PUT",
    path: `${path}/selected-provider`,
    summary: "Select the service for push notifications",
    description: stored,
    scopes: ["update:guardian_factors"],
    body: selectedPushProviderSchema,
    responses: { 200: selectedPushProviderSchema, ...conflict },
  })(async ({ body: push }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { push }) }));
    return push;
  }),
];

const sns = [
  route({
    method: "GET",
    path: `${path}/providers/sns`,
    summary: "Get the Amazon SNS account for push notifications",
    description: `${stored} The response does not contain the keys.`,
    scopes: ["read:guardian_factors"],
    responses: { 200: snsProviderSchema },
  })(async (_, { tenant }) => snsProviderSchema.parse((await findFactorProvider(tenant, "sns")).content)),
  ...changes.map(({ method, verb, rule }) =>
    route({
      method,
      path: `${path}/providers/sns`,
      summary: `${verb} the Amazon SNS account for push notifications`,
      description: `${stored} ${rule}`,
      scopes: ["update:guardian_factors"],
      body: setSnsProviderSchema,
      responses: { 200: snsProviderSchema, ...conflict },
    })(async ({ body }, { tenant }) =>
      snsProviderSchema.parse((await changeFactorProvider(tenant, "sns", body, method === "PUT")).content),
    ),
  ),
];

const apns = [
  route({
    method: "GET",
    path: `${path}/providers/apns`,
    summary: "Get the settings of Apple's push service",
    description: `${stored} The response does not contain \`p12\`.`,
    scopes: ["read:guardian_factors"],
    responses: { 200: apnsProviderSchema },
  })(async (_, { tenant }) => toApnsProvider(await findFactorProvider(tenant, "apns"))),
  ...changes.map(({ method, verb, rule }) =>
    route({
      method,
      path: `${path}/providers/apns`,
      summary: `${verb} the settings of Apple's push service`,
      description: `${stored} ${rule}`,
      scopes: ["update:guardian_factors"],
      body: setApnsProviderSchema,
      responses: { 200: apnsProviderSchema, ...conflict },
    })(async ({ body }, { tenant }) => toApnsProvider(await changeFactorProvider(tenant, "apns", body, method === "PUT"))),
  ),
];

const firebase = changes.flatMap(({ method, verb, rule }) => [
  route({
    method,
    path: `${path}/providers/fcm`,
    summary: `${verb} the server key of Firebase Cloud Messaging`,
    description: `${stored} ${rule}`,
    scopes: ["update:guardian_factors"],
    body: setFcmProviderSchema,
    responses: { 200: noSettingsSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    await changeFactorProvider(tenant, "fcm", body, method === "PUT");
    return {};
  }),
  route({
    method,
    path: `${path}/providers/fcmv1`,
    summary: `${verb} the service account of Firebase Cloud Messaging`,
    description: `${stored} ${rule}`,
    scopes: ["update:guardian_factors"],
    body: setFcmv1ProviderSchema,
    responses: { 200: noSettingsSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    await changeFactorProvider(tenant, "fcmv1", body, method === "PUT");
    return {};
  }),
]);

/** The routes for the settings of push notifications. Postern does not support this factor, and only stores them. */
export const guardianPushNotification = [...selectedProvider, ...sns, ...apns, ...firebase];

function toApnsProvider({ content, secrets }: Awaited<ReturnType<typeof findFactorProvider>>): z.infer<typeof apnsProviderSchema> {
  return apnsProviderSchema.parse({ ...content, enabled: Object.hasOwn(secrets, "p12") });
}
