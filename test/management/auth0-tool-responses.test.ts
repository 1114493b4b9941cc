import { beforeAll, expect, test } from "vitest";
import { jsonBody, list, managerOf, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

/** Requests as Auth0's tools and SDKs in other languages send them, and the members of the responses that they read. */

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

test("selected fields of connections always include the id", async () => {
  const [{ id = "", name, strategy } = {}] = list(await manage("GET", "/api/v2/connections"));
  const path = `/api/v2/connections/${String(id)}`;
  expect(jsonBody(await manage("GET", `${path}?fields=strategy,name`))).toEqual({ id, strategy, name });
  expect(jsonBody(await manage("GET", `${path}?fields=name&include_fields=false`))).toMatchObject({ id, strategy });
  for (const query of ["fields=name", "fields=name&take=1", "fields=name&include_totals=true"]) {
    const response = await manage("GET", `/api/v2/connections?${query}`);
    expect(list(response, query === "fields=name" ? undefined : "connections"), query).toEqual([{ id, name }]);
  }
  const client = stringMember(await manage.create("/api/v2/clients", { name: "App" }), "client_id");
  const ofClient = await manage("GET", `/api/v2/clients/${client}/connections?fields=name&strategy=auth0`);
  expect(list(ofClient, "connections")).toEqual([{ id, name }]);
});

test("the domain of Mailgun is returned", async () => {
  const path = "/api/v2/emails/provider";
  const shown = { domain: "mg.example.test", region: "eu" };
  expect(await manage.create(path, { name: "mailgun", credentials: { ...shown, api_key: "hush" } })).toMatchObject({ credentials: shown });
  const changed = { domain: "mail.example.test", region: "eu" };
  const response = await manage("PATCH", path, { credentials: { domain: changed.domain, api_key: "hush" } });
  expect(jsonBody(response)["credentials"]).toEqual(changed);
  expect(jsonBody(await manage("GET", path))["credentials"]).toEqual(changed);
});

test("the settings of a new tenant have every member that Auth0 always returns", async () => {
  const settings = jsonBody(await manage("GET", "/api/v2/tenants/settings"));
  expect(settings).toMatchObject({
    phone_consolidated_experience: false,
    sandbox_version: "22",
    sandbox_versions_available: ["22", "18"],
  });
  // The members of a recorded response whose tenant has every removable setting removed.
  const recorded =
    "allowed_logout_urls default_audience default_directory default_redirection_uri enabled_locales flags friendly_name " +
    "idle_session_lifetime ephemeral_session_lifetime idle_ephemeral_session_lifetime picture_url sandbox_version " +
    "session_lifetime support_email support_url sessions oidc_logout allow_organization_name_in_authentication_api " +
    "customize_mfa_in_postlogin_action pushed_authorization_requests_supported phone_consolidated_experience " +
    "session_cookie sandbox_versions_available resource_parameter_profile";
  for (const member of recorded.split(" ")) expect(settings).toHaveProperty(member);
  const change = { phone_consolidated_experience: true };
  expect(jsonBody(await manage("PATCH", "/api/v2/tenants/settings", change))).toEqual({ ...settings, ...change });
});

test("the page template can be sent as a JSON string", async () => {
  const path = "/api/v2/branding/templates/universal-login";
  const template = "<!DOCTYPE html><html><head>{%- auth0:head -%}</head><body>{%- auth0:widget -%}</body></html>";
  for (const status of [201, 204]) expect(await manage("PUT", path, JSON.stringify(template))).toMatchObject({ status, body: undefined });
  expect(jsonBody(await manage("GET", path))).toEqual({ body: template });
});
