import type * as z from "zod";
import { changeMultifactor, multifactorSettings, SelectedPushProvider } from "../../model/factors/multifactor.ts";
import {
  ApnsProvider,
  NoSettings,
  SetApnsProvider,
  SetFcmProvider,
  SetFcmv1Provider,
  SetSnsProvider,
  SnsProvider,
} from "../../model/factors/providers.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeFactorProvider, findFactorProvider } from "../../tenants/factor-providers.ts";

const path = "/api/v2/guardian/factors/push-notification";
const stored = "Stored for compatibility with Auth0; has no effect in Postern, which sends no push notifications.";
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
    responses: { 200: SelectedPushProvider },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).push),
  route({
    method: "PUT",
    path: `${path}/selected-provider`,
    summary: "Select the service for push notifications",
    description: stored,
    scopes: ["update:guardian_factors"],
    body: SelectedPushProvider,
    responses: { 200: SelectedPushProvider, ...conflict },
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
    responses: { 200: SnsProvider },
  })(async (_, { tenant }) => SnsProvider.parse((await findFactorProvider(tenant, "sns")).settings)),
  ...changes.map(({ method, verb, rule }) =>
    route({
      method,
      path: `${path}/providers/sns`,
      summary: `${verb} the Amazon SNS account for push notifications`,
      description: `${stored} ${rule}`,
      scopes: ["update:guardian_factors"],
      body: SetSnsProvider,
      responses: { 200: SnsProvider, ...conflict },
    })(async ({ body }, { tenant }) => SnsProvider.parse((await changeFactorProvider(tenant, "sns", body, method === "PUT")).settings)),
  ),
];

const apns = [
  route({
    method: "GET",
    path: `${path}/providers/apns`,
    summary: "Get the settings of Apple's push service",
    description: `${stored} The response does not contain \`p12\`.`,
    scopes: ["read:guardian_factors"],
    responses: { 200: ApnsProvider },
  })(async (_, { tenant }) => toApnsProvider(await findFactorProvider(tenant, "apns"))),
  ...changes.map(({ method, verb, rule }) =>
    route({
      method,
      path: `${path}/providers/apns`,
      summary: `${verb} the settings of Apple's push service`,
      description: `${stored} ${rule}`,
      scopes: ["update:guardian_factors"],
      body: SetApnsProvider,
      responses: { 200: ApnsProvider, ...conflict },
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
    body: SetFcmProvider,
    responses: { 200: NoSettings, ...conflict },
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
    body: SetFcmv1Provider,
    responses: { 200: NoSettings, ...conflict },
  })(async ({ body }, { tenant }) => {
    await changeFactorProvider(tenant, "fcmv1", body, method === "PUT");
    return {};
  }),
]);

/** The routes for the settings of push notifications. Postern does not support this factor, and only stores them. */
export const guardianPushNotification = [...selectedProvider, ...sns, ...apns, ...firebase];

function toApnsProvider({ settings, secrets }: Awaited<ReturnType<typeof findFactorProvider>>): z.infer<typeof ApnsProvider> {
  return ApnsProvider.parse({ ...settings, enabled: Object.hasOwn(secrets, "p12") });
}
