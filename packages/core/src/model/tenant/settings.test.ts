import { describe, expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import { languages } from "../../locales/languages.ts";
import { allTenantSettings } from "./all-settings.ts";
import {
  fromUpdateTenantSettings,
  newTenantSettings,
  tenantSettingsReplySchema,
  toTenantSettings,
  updateTenantSettingsSchema,
} from "./settings-bodies.ts";

const row: Row<"tenants"> = {
  id: "main",
  name: "main",
  friendly_name: "Main",
  settings: newTenantSettings(),
  branding: {},
  attack_protection: {},
  multifactor: {},
  organization_id: null,
  member_access: {},
  ready_at: 0,
  lease_until: 0,
  counted_until: 0,
  revision: 1,
  created_at: 0,
  updated_at: 0,
  deleting_at: null,
};

function changed(from: Row<"tenants">, body: object): Row<"tenants"> {
  return { ...from, ...fromUpdateTenantSettings(from, updateTenantSettingsSchema.parse(body)) };
}

function replyOf(from: Row<"tenants">) {
  return tenantSettingsReplySchema.parse(toTenantSettings(from));
}

test("a tenant without stored settings has Auth0's defaults and every language of the login pages", () => {
  expect(replyOf(row)).toMatchObject({
    friendly_name: "Main",
    session_lifetime: 168,
    idle_session_lifetime: 72,
    ephemeral_session_lifetime: 72,
    idle_ephemeral_session_lifetime: 24,
    enabled_locales: [...languages.keys()],
    form_of_address: "formal",
    new_device_notification: false,
    passkey_counts_as_factor: true,
    minimal_id_tokens: false,
    session_cookie: { mode: "persistent" },
    sessions: { oidc_logout_prompt_enabled: true },
    oidc_logout: { rp_logout_end_session_endpoint_discovery: true },
    flags: { enable_client_connections: true, enable_dynamic_client_registration: false },
  });
  expect(replyOf({ ...row, settings: {} })).toEqual(replyOf(row));
});

describe("an update of tenant settings", () => {
  const sent = {
    friendly_name: "Acme",
    change_password: { enabled: true, html: "<html>" },
    guardian_mfa_page: { enabled: false },
    default_audience: "https://api.example.com",
    default_directory: "Users",
    error_page: { html: "", show_log_link: true, url: "https://example.com/error" },
    device_flow: { charset: "digits", mask: "***-***-***" },
    default_token_quota: { clients: { client_credentials: { enforce: true, per_day: 1 } } },
    picture_url: "https://example.com/logo.png",
    support_email: "help@example.com",
    support_url: "https://example.com/help",
    allowed_logout_urls: ["https://example.com/bye"],
    session_lifetime: 10,
    idle_session_lifetime: 1.5,
    ephemeral_session_lifetime: 2,
    idle_ephemeral_session_lifetime: 1,
    sandbox_version: "22",
    legacy_sandbox_version: "12",
    default_redirection_uri: "https://example.com/start",
    enabled_locales: ["en", "pt-BR", "es-419"],
    form_of_address: "familiar",
    new_device_notification: true,
    passkey_counts_as_factor: false,
    minimal_id_tokens: true,
    security_headers: {
      content_security_policy: { enabled: true, policies: [{ mode: "enforce", directives: { "default-src": ["'self'"] } }] },
      x_xss_protection: null,
    },
    session_cookie: { mode: "non-persistent" },
    sessions: { oidc_logout_prompt_enabled: false },
    oidc_logout: { rp_logout_end_session_endpoint_discovery: false },
    allow_organization_name_in_authentication_api: true,
    customize_mfa_in_postlogin_action: true,
    acr_values_supported: ["urn:acr"],
    mtls: { enable_endpoint_aliases: true },
    pushed_authorization_requests_supported: true,
    authorization_response_iss_parameter_supported: true,
    skip_non_verifiable_callback_uri_confirmation_prompt: true,
    resource_parameter_profile: "compatibility",
    client_id_metadata_document_supported: true,
    phone_consolidated_experience: true,
    enable_ai_guide: false,
    include_session_metadata_in_tenant_logs: true,
    dynamic_client_registration_security_mode: "strict",
    country_codes: { list: ["DK"], mode: "allow" },
    universal_login: { colors: { primary: "#ffffff" } },
  };

  test("is stored completely, and the response to a read is accepted as its body", () => {
    const after = changed(row, sent);
    expect(replyOf(after)).toMatchObject(sent);
    const { sandbox_versions_available: _, ...settings } = replyOf(after);
    expect(replyOf(changed(after, settings))).toEqual(replyOf(after));
  });

  test("leaves omitted settings unchanged", () => {
    const after = changed(row, sent);
    expect(replyOf(changed(after, {}))).toEqual(replyOf(after));
    expect(replyOf(changed(after, { support_email: "" }))).toEqual({ ...replyOf(after), support_email: "" });
  });

  test("merges flags and stores unknown ones", () => {
    const after = changed(changed(row, { flags: { enable_sso: true, brand_new: true } }), { flags: { enable_sso: false } });
    expect(allTenantSettings(after).flags).toEqual({ ...allTenantSettings(row).flags, enable_sso: false, brand_new: true });
  });

  test("resets a setting that is null to its default", () => {
    const cleared = { session_cookie: null, sessions: null, error_page: null, customize_mfa_in_postlogin_action: null };
    const reply = replyOf(changed(changed(row, sent), cleared));
    expect(reply).toMatchObject({ session_cookie: { mode: "persistent" }, customize_mfa_in_postlogin_action: false });
    expect(reply).not.toHaveProperty("error_page");
  });
});

describe("a lifetime", () => {
  test("is accepted in hours or in minutes and returned in hours", () => {
    expect(replyOf(changed(row, { session_lifetime_in_minutes: 90 }))).toMatchObject({ session_lifetime: 1.5 });
    expect(allTenantSettings(changed(row, { session_lifetime: 2 })).session_lifetime_in_minutes).toBe(120);
    expect(replyOf(row)).not.toHaveProperty("session_lifetime_in_minutes");
  });

  test("of any number of minutes is unchanged after Auth0's tools read it in hours and write it back", () => {
    for (let count = 1; count < 20_000; count++) {
      const { session_lifetime } = replyOf(changed(row, { session_lifetime_in_minutes: count }));
      const back = changed(row, { session_lifetime_in_minutes: session_lifetime * 60 });
      expect(allTenantSettings(back).session_lifetime_in_minutes).toBe(count);
      if (count > 300) count += 97;
    }
  });

  test("uses the minutes if the body contains both units", () => {
    expect(allTenantSettings(changed(row, { session_lifetime: 9, session_lifetime_in_minutes: 30 })).session_lifetime_in_minutes).toBe(30);
  });
});

test.each([
  ["session_lifetime", 0],
  ["session_lifetime", "8"],
  ["session_lifetime_in_minutes", 1.5],
  ["idle_session_lifetime_in_minutes", 0],
  ["session_cookie", {}],
  ["error_page", { url: "javascript:alert(1)" }],
  ["picture_url", "logo.png"],
  ["support_email", "nobody"],
  ["default_redirection_uri", "http://example.com"],
  ["allowed_logout_urls", ["/bye"]],
  ["enabled_locales", []],
  ["enabled_locales", ["English"]],
  ["form_of_address", "du"],
  ["form_of_address", null],
  ["new_device_notification", "yes"],
  ["passkey_counts_as_factor", 1],
  ["minimal_id_tokens", "yes"],
  ["acr_values_supported", [""]],
  ["flags", { enable_sso: "yes" }],
  ["flags", { require_pushed_authorization_requests: "yes" }],
  ["pushed_authorization_requests_supported", "yes"],
  ["device_flow", { mask: "*".repeat(21) }],
  ["sandbox_version", "123456789"],
  ["default_token_quota", {}],
  ["country_codes", { list: ["Denmark"] }],
])("rejects an invalid tenant setting %s: %j", (field, value) => {
  expect(updateTenantSettingsSchema.safeParse({ [field]: value }).error?.issues[0]?.path[0]).toBe(field);
});

test("the error for an unknown tenant setting names the setting", () => {
  expect(updateTenantSettingsSchema.safeParse({ toaster: 1 }).error?.issues[0]).toMatchObject({ keys: ["toaster"] });
});
