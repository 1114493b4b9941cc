import * as z from "zod";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, ScreenNotFound, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import type { ComponentChildren } from "preact";
import type { FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm, type FormBody } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.factors;

/** The policies that require a factor. */
export const policiesSchema = z.array(z.string());

const messageTypesSchema = z.looseObject({ message_types: z.array(z.string()) });
const rememberedSchema = z.looseObject({});

const page = (request: ScreenRequest, _: unknown, form: ComponentChildren): ScreenPage => tenantSettingsPage(request, "factors", form);
const after = (request: ScreenRequest, done: "saved" | "unchanged"): string => tenantSettingsPath(request, "factors", { done });
const cancel = (request: ScreenRequest): string => tenantSettingsPath(request, "factors");

/** Whether codes are sent by text message and by voice call. */
export async function readMessageTypes({ api }: ScreenRequest): Promise<{ readonly [type: string]: boolean }> {
  const { message_types: types } = messageTypesSchema.parse(await read(api, ["guardian", "factors", "phone", "message-types"]));
  return Object.fromEntries(Object.keys(texts.messageTexts).map((type) => [type, types.includes(type)]));
}

/** Reads the settings for remembered browsers. */
export const readRememberSettings = async ({ api }: ScreenRequest) => rememberedSchema.parse(await read(api, ["guardian", "settings"]));

/** The settings for remembered browsers. */
export const rememberFields: readonly FormField[] = [
  { name: "display_remember_me_checkbox", label: texts.rememberOffer, kind: "switch" },
  { name: "remember_me_default_value", label: texts.rememberChecked, kind: "switch" },
  { name: "mfa_session_inactivity_timeout", label: texts.rememberIdle, hint: texts.seconds, kind: "number", required: true },
  { name: "mfa_session_overall_timeout", label: texts.rememberMost, hint: texts.seconds, kind: "number", required: true },
];

const policyScreen = editForm<{ readonly policy: string }>({
  path: "/settings/factors/policy",
  title: texts.policies,
  about: texts.policyEditAbout,
  needsRecentSignIn: true,
  read: async ({ api }) => {
    const [policy = "none"] = policiesSchema.parse(await read(api, ["guardian", "policies"]));
    return { policy };
  },
  fields: ({ policy }) => [
    {
      name: "policy",
      label: texts.policy,
      kind: "choice",
      options: Object.entries(texts.policyTexts).filter(([name]) => name !== "confidence-score" || name === policy),
    },
  ],
  page,
  save: ({ api }, { policy }) => change(api, "PUT", ["guardian", "policies"], policy === "none" ? [] : [policy]),
  after,
  cancel,
});

const phoneScreen = editForm({
  path: "/settings/factors/phone",
  title: texts.phone,
  about: texts.phoneEditAbout,
  needsRecentSignIn: true,
  read: readMessageTypes,
  fields: () => Object.entries(texts.messageTexts).map(([name, label]) => ({ name, label, kind: "switch" })),
  page,
  save: async (request, body) => {
    const merged = { ...(await readMessageTypes(request)), ...body };
    const types = Object.entries(merged).flatMap(([type, isOn]) => (isOn === true ? [type] : []));
    await change(request.api, "PUT", ["guardian", "factors", "phone", "message-types"], { message_types: types });
  },
  after,
  cancel,
});

const rememberScreen = editForm({
  path: "/settings/factors/remember",
  title: texts.remember,
  about: texts.rememberEditAbout,
  needsRecentSignIn: true,
  read: readRememberSettings,
  fields: () => rememberFields,
  page,
  // The Management API replaces the settings as a whole.
  save: async (request, body: FormBody) =>
    change(request.api, "PUT", ["guardian", "settings"], { ...(await readRememberSettings(request)), ...body }),
  after,
  cancel,
});

/** Creates the page that turns a factor on or off. */
const switchScreen = (action: "on" | "off"): ConsoleScreen => {
  const isOn = action === "on";
  const nameOf = ({ params }: ScreenRequest): string => {
    const name = params["factor"] ?? "";
    if (!Object.hasOwn(texts.names, name)) throw new ScreenNotFound();
    return texts.names[name] ?? name;
  };
  return {
    path: `/settings/factors/:factor/${action}`,
    needsRecentSignIn: true,
    show(request) {
      const { links, params } = request;
      const name = nameOf(request);
      return tenantSettingsPage(
        request,
        "factors",
        <ConfirmCard
          request={request}
          title={isOn ? texts.turnOnTitle(name) : texts.turnOffTitle(name)}
          about={isOn ? texts.turnOnAbout : texts.turnOffAbout}
          action={links.to(["settings", "factors", params["factor"] ?? "", action])}
          confirm={isOn ? texts.turnOn : texts.turnOff}
          back={cancel(request)}
        />,
      );
    },
    async submit(request) {
      nameOf(request);
      await change(request.api, "PUT", ["guardian", "factors", request.params["factor"] ?? ""], { enabled: isOn });
      return redirectTo(tenantSettingsPath(request, "factors", { done: "saved" }));
    },
  };
};

/** The pages that change the settings for second factors. */
export const factorEditScreens: readonly ConsoleScreen[] = [
  policyScreen,
  phoneScreen,
  rememberScreen,
  switchScreen("on"),
  switchScreen("off"),
];
