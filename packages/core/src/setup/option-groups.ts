import * as z from "zod";
import { isAddressRange } from "../adapters/addresses.ts";
import type { Clock } from "../adapters/clock.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { PasswordHasher } from "../adapters/hasher.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { Random } from "../adapters/random.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import type { Meter, TelemetryOptions, Tracer } from "../adapters/telemetry.ts";
import type { SetTimer } from "../adapters/timer.ts";
import { toKeyRing } from "../crypto/key-ring.ts";
import { isHostName } from "./host-name.ts";
import {
  adapter,
  functionOption,
  documented,
  flagOption,
  group,
  hasMethods,
  listOption,
  number,
  textOption,
  usableBy,
  type OptionShape,
} from "./option-schemas.ts";
import type {
  AccessControlOptions,
  ControlPlaneOptions,
  CryptoOptions,
  LimitOptions,
  LogOptions,
  MessageOptions,
  NetworkOptions,
  PaginationOptions,
  SyncOptions,
} from "./options.ts";
import type { TestingOptions } from "./testing-options.ts";
import { signingAlgorithms } from "../model/keys/algorithms.ts";
import {
  optionsPage,
  connectionsPage,
  logsPage,
  newNumbersPage,
  registrationPage,
  sendingPage,
  subdomainsPage,
  telemetryPage,
  tenantsPage,
  hooksPage,
} from "./option-pages.ts";

const byteCountSchema = number("a number of bytes above 0", optionsPage, (value) => value > 0).optional();
const positiveNumberSchema = number("a number above 0", tenantsPage, (value) => value > 0).optional();
const sealingKeySchema = z.object({ id: z.string().min(1), secret: z.string().min(1) });

export const cryptoSchema = group(
  optionsPage,
  {
    secret: documented(z.union([z.string().min(1), z.tuple([sealingKeySchema], sealingKeySchema).readonly()]).check(usableBy(toKeyRing)), {
      expected: "text of at least 32 characters, for example from `openssl rand -base64 32`, or a list of keys { id, secret }",
      page: "docs/keys.md#the-sealing-secret",
      isSecret: true,
    }),
    signingAlgorithm: documented(z.enum(signingAlgorithms), {
      expected: '"RS256", "PS256", "ES256", "EdDSA" or "Ed25519"',
      page: optionsPage,
    }).optional(),
    hasher: documented(
      z.custom<PasswordHasher>((value) => hasMethods(value, ["hash", "verify", "verifyDummy", "accepts"])),
      {
        expected: "an object with the methods hash(), verify(), verifyDummy() and accepts(), such as `createPasswordHasher()`",
        page: "docs/passwords.md#hashing",
      },
    ).optional(),
  } satisfies OptionShape<CryptoOptions>,
  // If a host application passes the secret itself instead of an object, it must not reach a log.
  { isSecret: true },
);

export const controlPlaneSchema = group(optionsPage, {
  tenantId: textOption("the ID of a tenant", optionsPage),
  clientId: textOption("the ID of a client", optionsPage).optional(),
} satisfies OptionShape<ControlPlaneOptions>);

export const syncSchema = documented(
  z.union([
    z.literal(false),
    group(tenantsPage, {
      resourceServers: flagOption(tenantsPage).optional(),
      roles: flagOption(tenantsPage).optional(),
    } satisfies OptionShape<SyncOptions>),
  ]),
  { expected: "false, or an object { resourceServers, roles }", page: tenantsPage },
);

export const accessControlSchema = group(tenantsPage, {
  defaultRoles: listOption("a list of IDs or names of roles", tenantsPage, (role) => role !== "").optional(),
} satisfies OptionShape<AccessControlOptions>);

export const databaseIsolationSchema = group(tenantsPage, {
  getAdapters: functionOption<DatabaseIsolation["getAdapters"]>(tenantsPage),
  onProvision: functionOption<NonNullable<DatabaseIsolation["onProvision"]>>(tenantsPage).optional(),
  onDeprovision: functionOption<NonNullable<DatabaseIsolation["onDeprovision"]>>(tenantsPage).optional(),
  recordProvisionOperations: flagOption(tenantsPage).optional(),
  maxOpen: positiveNumberSchema,
  idleSeconds: positiveNumberSchema,
} satisfies OptionShape<DatabaseIsolation>);

export const hooksSchema = group(tenantsPage, {
  onTenantCreating: functionOption<NonNullable<TenantHooks["onTenantCreating"]>>(hooksPage).optional(),
  onTenantCreated: functionOption<NonNullable<TenantHooks["onTenantCreated"]>>(hooksPage).optional(),
  onTenantUpdating: functionOption<NonNullable<TenantHooks["onTenantUpdating"]>>(hooksPage).optional(),
  onTenantUpdated: functionOption<NonNullable<TenantHooks["onTenantUpdated"]>>(hooksPage).optional(),
  onTenantDeleting: functionOption<NonNullable<TenantHooks["onTenantDeleting"]>>(hooksPage).optional(),
  onTenantDeleted: functionOption<NonNullable<TenantHooks["onTenantDeleted"]>>(hooksPage).optional(),
} satisfies OptionShape<TenantHooks>);

export const subdomainRoutingSchema = group(subdomainsPage, {
  baseDomain: documented(z.string().refine(isHostName), {
    expected: "a host name in lower case, without a port, such as 'id.example.com' or 'localhost'",
    page: subdomainsPage,
  }),
  useOrganizations: flagOption(subdomainsPage).optional(),
  reservedSubdomains: listOption(
    "a list of single labels in lower case, such as ['status', 'docs']",
    subdomainsPage,
    (label) => !label.includes(".") && isHostName(label),
  ).optional(),
  resolveSubdomain: functionOption<NonNullable<SubdomainRouting["resolveSubdomain"]>>(subdomainsPage).optional(),
} satisfies OptionShape<SubdomainRouting>);

export const telemetrySchema = group(telemetryPage, {
  tracer: adapter<Tracer>(telemetryPage, "startActiveSpan").optional(),
  meter: documented(
    z.custom<Meter>((value) => hasMethods(value, ["createCounter", "createHistogram", "createObservableGauge", "createObservableCounter"])),
    { expected: "a meter of the OpenTelemetry API, such as metrics.getMeter('postern')", page: telemetryPage },
  ).optional(),
  activeSpan: functionOption<NonNullable<TelemetryOptions["activeSpan"]>>(telemetryPage).optional(),
  tenantLabel: flagOption(telemetryPage).optional(),
} satisfies OptionShape<TelemetryOptions>);

export const messagesSchema = group(optionsPage, {
  mail: adapter<MailSender>(sendingPage, "send").optional(),
  sms: adapter<SmsSender>(sendingPage, "send").optional(),
} satisfies OptionShape<MessageOptions>);

export const networkSchema = group(connectionsPage, {
  allowedPrivateAddresses: listOption(
    "a list of addresses and networks, such as ['127.0.0.1', '10.1.0.0/16']",
    connectionsPage,
    isAddressRange,
  ).optional(),
  fetch: functionOption<NonNullable<NetworkOptions["fetch"]>>(connectionsPage).optional(),
} satisfies OptionShape<NetworkOptions>);

export const logsSchema = group(logsPage, {
  retentionDays: number(
    "a number of days, more than 0 and at most 36,500, or Infinity",
    logsPage,
    (value) => value > 0 && (value === Infinity || value <= 36_500),
  ).optional(),
  lateEventWindowSeconds: number(
    "a number of seconds, from 1 to 3,600",
    "docs/log-streams.md#events-that-are-committed-late",
    (value) => value >= 1 && value <= 3600,
  ).optional(),
} satisfies OptionShape<LogOptions>);

const messageCountSchema = number(
  "a whole number of messages from 0 to 1,000,000",
  newNumbersPage,
  (value) => Number.isInteger(value) && value >= 0 && value <= 1_000_000,
).optional();

const documentCountSchema = number(
  "a whole number of documents from 0 to 1,000,000",
  optionsPage,
  (value) => Number.isInteger(value) && value >= 0 && value <= 1_000_000,
).optional();

export const limitsSchema = group(optionsPage, {
  bodyBytes: byteCountSchema,
  loginSessionBytesPerAddress: byteCountSchema,
  clientDocumentsPerAddress: documentCountSchema,
  clientDocumentsPerTenant: documentCountSchema,
  dataTimeoutSeconds: number("a number of seconds above 0 and at most 300", optionsPage, (value) => value > 0 && value <= 300).optional(),
  inFlight: number("a whole number above 0", optionsPage, (value) => Number.isInteger(value) && value > 0).optional(),
  waitMs: number("a number of milliseconds from 0 to 60,000", optionsPage, (value) => value >= 0 && value <= 60_000).optional(),
  userMetadataBytes: byteCountSchema,
  settingsCacheBytes: byteCountSchema,
  newNumbersPerUser: number(
    "a whole number of phone numbers from 0 to 100",
    newNumbersPage,
    (value) => Number.isInteger(value) && value >= 0 && value <= 100,
  ).optional(),
  newNumberMessagesPerUser: messageCountSchema,
  newNumberMessagesPerNumber: messageCountSchema,
  newNumberMessagesPerRange: messageCountSchema,
  newNumberMessagesPerTenant: messageCountSchema,
  registrationsPerAddress: number(
    "a whole number of registrations from 0 to 1,000,000",
    registrationPage,
    (value) => Number.isInteger(value) && value >= 0 && value <= 1_000_000,
  ).optional(),
  unusedClients: number(
    "a whole number of clients from 1 to 1,000",
    registrationPage,
    (value) => Number.isInteger(value) && value >= 1 && value <= 1000,
  ).optional(),
} satisfies OptionShape<LimitOptions>);

export const paginationSchema = group(optionsPage, {
  firstPage: documented(z.literal([0, 1]), { expected: "0 or 1", page: optionsPage }).optional(),
} satisfies OptionShape<PaginationOptions>);

export const testingSchema = group(optionsPage, {
  checkReplies: flagOption(optionsPage).optional(),
  clock: adapter<Clock>(optionsPage, "now").optional(),
  setTimer: functionOption<SetTimer>(optionsPage).optional(),
  random: adapter<Random>(optionsPage, "bytes").optional(),
} satisfies OptionShape<TestingOptions>);
