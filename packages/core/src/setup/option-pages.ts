// Documentation pages in the repository that explain options. Errors and the list of options link to them.

export const optionsPage = "docs/embedding.md#options";
export const addressesPage = "docs/embedding.md#addresses";
export const connectionsPage = "docs/connections.md#outgoing-requests";
export const logsPage = "docs/monitoring.md#logs-and-audit";
export const newNumbersPage = "docs/mail-and-sms.md#limit-messages-to-new-phone-numbers";
export const registrationPage = "docs/registration.md#limits";
export const sendingPage = "docs/mail-and-sms.md";
export const telemetryPage = "docs/telemetry.md#the-option";
export const proxiesPage = "docs/operations.md#behind-a-proxy";
export const subdomainsPage = "docs/tenants.md#tenants-by-subdomain";
export const tenantsPage = "docs/tenants.md";
export const hooksPage = "docs/tenants.md#hooks";
