import * as z from "zod";
import { isAddressRange } from "../adapters/addresses.ts";
import type { BreachedPasswords } from "../adapters/breached-passwords.ts";
import type { ControlPlaneResolver } from "../adapters/control-plane.ts";
import type { DomainVerifier } from "../adapters/domain-verifier.ts";
import type { Logger } from "../adapters/logger.ts";
import type { OperationExecutor } from "../adapters/operation-executor.ts";
import type { RateLimiter } from "../adapters/rate-limit.ts";
import type { UserSource } from "../adapters/user-source.ts";
import type { DataAdapter } from "../store/contract.ts";
import { createUrls } from "../http/urls.ts";
import { isReceiverType } from "../model/logs/receivers.ts";
import { isStoredOnlyStrategy } from "../model/connections/connections.ts";
import { createTranslations, type PageTexts } from "../locales/translations.ts";
import { actionSchema } from "./action-schema.ts";
import { requireControlPlaneForSubdomains, requireOneSmsSender } from "./check-across-options.ts";
import {
  adapter,
  functionOption,
  documented,
  flagOption,
  group,
  hasMethods,
  isPlainObject,
  listOption,
  textOption,
  usableBy,
  type OptionDocs,
  type OptionShape,
} from "./option-schemas.ts";
import type { PosternOptions } from "./options.ts";
import {
  cryptoSchema,
  controlPlaneSchema,
  syncSchema,
  accessControlSchema,
  databaseIsolationSchema,
  hooksSchema,
  subdomainRoutingSchema,
  telemetrySchema,
  messagesSchema,
  networkSchema,
  logsSchema,
  limitsSchema,
  paginationSchema,
  testingSchema,
} from "./option-groups.ts";
import { optionsPage, addressesPage, logsPage, proxiesPage, tenantsPage } from "./option-pages.ts";

/** The documentation of the options object as a whole. */
export const optionsDocs: OptionDocs = { expected: "an object of options", page: optionsPage };

/**
 * The schema of the options of `createPostern`. It only validates: the options themselves are used, not the parsed
 * result, because adapters are instances.
 */
export const optionsSchema = documented(
  group(optionsPage, {
    issuer: documented(
      z
        .string()
        .refine((value) => URL.canParse(value))
        .check(usableBy(createUrls)),
      {
        expected: "the public base URL, such as 'https://login.example.com/' or 'http://localhost:3000/auth/'",
        page: addressesPage,
      },
    ),
    data: documented(
      z.custom<DataAdapter>((value) => isPlainObject(value) && isPlainObject(value["collections"])),
      { expected: "a data adapter, such as `await openDatabase(…)` or `createMemoryAdapter()`", page: "docs/databases.md" },
    ),
    crypto: cryptoSchema,
    defaultTenantId: textOption("the ID of a tenant", addressesPage).optional(),
    controlPlane: controlPlaneSchema.optional(),
    resolveControlPlane: functionOption<ControlPlaneResolver>(tenantsPage).optional(),
    sync: syncSchema.optional(),
    defaultPermissions: listOption("a list of scopes of the Management API", tenantsPage, (scope) => scope !== "").optional(),
    requireOrganizationMatch: flagOption(tenantsPage).optional(),
    accessControl: accessControlSchema.optional(),
    databaseIsolation: databaseIsolationSchema.optional(),
    operationExecutor: adapter<OperationExecutor>(tenantsPage, "submit").optional(),
    hooks: hooksSchema.optional(),
    subdomainRouting: subdomainRoutingSchema.optional(),
    trustedProxies: listOption(
      "a list of the proxies' addresses and networks, such as ['10.0.0.0/8', '::1']",
      proxiesPage,
      isAddressRange,
    ).optional(),
    rateLimiter: adapter<RateLimiter>("docs/rate-limits.md#scopes", "consume").optional(),
    breachedPasswords: adapter<BreachedPasswords>("docs/passwords.md#breached-passwords", "range").optional(),
    messages: messagesSchema.optional(),
    domainVerifier: adapter<DomainVerifier>(addressesPage, "verify").optional(),
    actions: documented(z.array(actionSchema).readonly(), {
      expected: "a list of objects with functions such as onExecutePostLogin()",
      page: "docs/actions.md#write-an-action",
    }).optional(),
    userSource: adapter<UserSource>("docs/import-users.md#import-users-as-they-sign-in", "login").optional(),
    logSinks: documented(z.custom<NonNullable<PosternOptions["logSinks"]>>(areLogSinks), {
      expected: "an object of sinks by type, each with a method deliver(), such as { kinesis: { deliver } }",
      page: "docs/log-streams.md#deliver-to-a-custom-sink",
    }).optional(),
    strategies: documented(z.custom<NonNullable<PosternOptions["strategies"]>>(areStrategies), {
      expected:
        "an object by strategies that Postern only stores, each with a label and the methods isSetUp(), authorizationUrl() and readResponse(), such as { samlp: { … } }",
      page: "docs/connections.md#pass-in-a-strategy",
    }).optional(),
    network: networkSchema.optional(),
    telemetry: telemetrySchema.optional(),
    logger: adapter<Logger>(logsPage, "log").optional(),
    texts: documented(
      z.custom<PageTexts>((value) => isPlainObject(value) && Object.values(value).every(isPlainObject)).check(usableBy(createTranslations)),
      {
        expected: "an object of texts by language, such as { en: { identifierTitle: 'Welcome back' } }",
        page: "docs/login-pages.md#languages-and-texts",
      },
    ).optional(),
    loginPage: documented(z.string().regex(/^\/(?![/\\])[^?#\s\\]*$/), {
      expected: "a path on the issuer's host, without query and fragment, such as '/sign-in'",
      page: "docs/login-pages.md#build-your-own-login-pages",
    }).optional(),
    logs: logsSchema.optional(),
    limits: limitsSchema.optional(),
    development: flagOption(optionsPage).optional(),
    pagination: paginationSchema.optional(),
    testing: testingSchema.optional(),
  } satisfies OptionShape<PosternOptions>).check(requireOneSmsSender, requireControlPlaneForSubdomains),
  optionsDocs,
);

/** Whether a value has a protocol for each strategy, which must be one that Postern does not implement. */
function areStrategies(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    Object.entries(value).every(
      ([name, strategy]) =>
        isStoredOnlyStrategy(name) &&
        isPlainObject(strategy) &&
        typeof strategy["label"] === "string" &&
        hasMethods(strategy, ["isSetUp", "authorizationUrl", "readResponse"]),
    )
  );
}

/** Whether a value has a sink for each type, which must not be a built-in type. */
function areLogSinks(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    Object.entries(value).every(
      ([type, sink]) => /^[a-z][a-z0-9_-]{0,63}$/.test(type) && type !== "http" && !isReceiverType(type) && hasMethods(sink, ["deliver"]),
    )
  );
}
