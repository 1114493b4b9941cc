import {
  changeMultifactor,
  defaultPhoneTemplates,
  messageTypesSchema,
  multifactorSettings,
  phoneTemplatesSchema,
  selectedPhoneProviderSchema,
} from "../../model/factors/multifactor.ts";
import { setTwilioProviderSchema, twilioProviderSchema } from "../../model/factors/providers.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { requireTemplates } from "../kit/templates.ts";
import { changeFactorProvider, findFactorProvider } from "./factor-providers.ts";

const messageTypes = "/api/v2/guardian/factors/phone/message-types";

/** The paths of the settings for phones, which Auth0 serves under two names. */
const roots = ["/api/v2/guardian/factors/phone", "/api/v2/guardian/factors/sms"] as const;

const stored = "Only stored, for compatibility with Auth0: the phone sender of the host application sends messages.";
const conflict = { 409: { error: "conflict" } } as const;

const selectedProvider = roots.flatMap((root) => [
  route({
    method: "GET",
    path: `${root}/selected-provider`,
    summary: "Get the service for messages to phones",
    description: stored,
    scopes: ["read:guardian_factors"],
    responses: { 200: selectedPhoneProviderSchema },
  })(async (_, { tenant }) => ({ provider: multifactorSettings(tenant.record).phone.provider })),
  route({
    method: "PUT",
    path: `${root}/selected-provider`,
    summary: "Select the service for messages to phones",
    description: stored,
    scopes: ["update:guardian_factors"],
    body: selectedPhoneProviderSchema,
    responses: { 200: selectedPhoneProviderSchema, ...conflict },
  })(async ({ body: { provider } }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { phone: { provider } }) }));
    return { provider };
  }),
]);

const twilio = roots.flatMap((root) => [
  route({
    method: "GET",
    path: `${root}/providers/twilio`,
    summary: "Get the Twilio account for messages to phones",
    description: `${stored} The response does not contain \`auth_token\`.`,
    scopes: ["read:guardian_factors"],
    responses: { 200: twilioProviderSchema },
  })(async (_, { tenant }) => twilioProviderSchema.parse((await findFactorProvider(tenant, "twilio")).content)),
  route({
    method: "PUT",
    path: `${root}/providers/twilio`,
    summary: "Replace the Twilio account for messages to phones",
    description: `${stored} A body without \`auth_token\` keeps the stored one; \`null\` removes it.`,
    scopes: ["update:guardian_factors"],
    body: setTwilioProviderSchema,
    responses: { 200: twilioProviderSchema, ...conflict },
  })(async ({ body }, { tenant }) => twilioProviderSchema.parse((await changeFactorProvider(tenant, "twilio", body, true)).content)),
]);

const templates = roots.flatMap((root) => [
  route({
    method: "GET",
    path: `${root}/templates`,
    summary: "Get the texts of messages to phones",
    scopes: ["read:guardian_factors"],
    responses: { 200: phoneTemplatesSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).phone.templates ?? defaultPhoneTemplates),
  route({
    method: "PUT",
    path: `${root}/templates`,
    summary: "Replace the texts of messages to phones",
    description: "The texts are Liquid templates with the variables `code` and `tenant.friendly_name`.",
    scopes: ["update:guardian_factors"],
    body: phoneTemplatesSchema,
    responses: { 200: phoneTemplatesSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    await requireTemplates(body);
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { phone: { templates: body } }) }));
    return body;
  }),
]);

/** The routes for the factor `sms`: codes by text message or voice call. */
export const guardianPhone = [
  route({
    method: "GET",
    path: messageTypes,
    summary: "Get the kinds of messages to phones",
    scopes: ["read:guardian_factors"],
    responses: { 200: messageTypesSchema },
  })(async (_, { tenant }) => ({ message_types: [...multifactorSettings(tenant.record).phone.message_types] })),
  route({
    method: "PUT",
    path: messageTypes,
    summary: "Replace the kinds of messages to phones",
    scopes: ["update:guardian_factors"],
    body: messageTypesSchema,
    responses: { 200: messageTypesSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { phone: body }) }));
    return body;
  }),
  ...selectedProvider,
  ...twilio,
  ...templates,
];
