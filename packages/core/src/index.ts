export type {
  AnyRow,
  CallOptions,
  Change,
  Collection,
  Collections,
  Condition,
  DataAdapter,
  FieldName,
  Filter,
  Find,
  Found,
  Match,
  Operators,
  Order,
} from "./data/contract.ts";
export { defineAdapter } from "./data/contract.ts";
export { ConflictError, UnavailableError, isConflict, isUnavailable } from "./data/conflicts.ts";
export type { CollectionDescription, Field, FieldType, FieldValue, RowOf } from "./data/description.ts";
export { compareScalars, compareText, matches, matchesFilter } from "./data/match.ts";
export type { CollectionName, GlobalCollectionName, Row, StoredRow, TenantCollectionName } from "./data/schema.ts";
export { schema, storedFields, storedIndexes, storedKey, storedUnique } from "./data/schema.ts";
export type { TenantData } from "./data/tenant-data.ts";
export { tenantData } from "./data/tenant-data.ts";
export type { Json, JsonObject, Scalar, Value } from "./data/value.ts";
export type {
  Action,
  ActionClient,
  ActionConnection,
  ActionEvent,
  ActionIdentity,
  ActionProtocol,
  ActionRequest,
  ActionTransaction,
  ActionUser,
  CredentialsExchangeApi,
  CredentialsExchangeEvent,
  NewActionUser,
  PostChangePasswordEvent,
  PostLoginApi,
  PostLoginEvent,
  PostUserRegistrationEvent,
  PreUserRegistrationApi,
  PreUserRegistrationEvent,
  SendPhoneMessageEvent,
} from "./adapters/actions.ts";
export type { BreachedPasswords } from "./adapters/breached-passwords.ts";
export type { ControlPlaneResolver, InheritsFrom } from "./adapters/control-plane.ts";
export type { Clock, ManualClock } from "./adapters/clock.ts";
export { manualClock, systemClock } from "./adapters/clock.ts";
export type { SetTimer } from "./adapters/timer.ts";
export type { DatabaseIsolation } from "./adapters/database-isolation.ts";
export type { DomainClaim, DomainVerifier } from "./adapters/domain-verifier.ts";
export type { PasswordHasher, PasswordVerdict } from "./adapters/hasher.ts";
export { BusyError, PasswordTooLongError, UnavailableAlgorithmError, UnsupportedHashError } from "./adapters/hasher.ts";
export type { KeyRing, SealingKey } from "./adapters/key-ring.ts";
export { keyRing } from "./domain/sealing/key-ring.ts";
export type { DeliveredEvent, LogDelivery, LogSink } from "./adapters/log-sink.ts";
export type { Delivered } from "./tenancy/log-streams/deliver.ts";
export type { LogEntry, Logger } from "./adapters/logger.ts";
export { consoleLogger } from "./adapters/logger.ts";
export type { Mail, MailProvider, MailSender } from "./adapters/mail.ts";
export { requireSupportedNode } from "./adapters/node-version.ts";
export type { OperationExecutor } from "./adapters/operation-executor.ts";
export type { Random } from "./adapters/random.ts";
export { systemRandom } from "./adapters/random.ts";
export type { RateLimitDecision, RateLimiter, RateLimitScope } from "./adapters/rate-limit.ts";
export type { Sms, SmsSender } from "./adapters/sms.ts";
export type { SubdomainRouting } from "./adapters/subdomain-routing.ts";
export type { HookTenant, ReportStep, StepStatus, TenantHooks } from "./adapters/tenant-hooks.ts";
export type { SourceQuestion, SourceUser, UserSource } from "./adapters/user-source.ts";
export type { PasswordHasherOptions } from "./domain/passwords/hasher.ts";
export { createPasswordHasher } from "./domain/passwords/hasher.ts";
export type { CustomHash, Encoding } from "./domain/passwords/custom-hash.ts";
export type { ImportCounts, ImportedUser, ImportFault } from "./domain/users/import/import-users.ts";
export type { DoctorOptions } from "./setup/doctor/run-checks.ts";
export { ConfigurationError } from "./setup/configuration-error.ts";
export type { Check, Finding } from "./setup/finding.ts";
export type { ErrorCode, ErrorDetails, VendorErrorCode } from "./errors.ts";
export { isPosternError, PosternError } from "./errors.ts";
export type { RequestExtra } from "./handler/request-extra.ts";
export type { CreateClient, TenantApi } from "./in-process/api.ts";
export type { ImportUsersOptions } from "./in-process/import-users.ts";
export type { TenantOptions } from "./in-process/in-process.ts";
export type { TransactionApi } from "./in-process/in-transaction.ts";
export type { RootOptions } from "./http/root-paths.ts";
export type { PageTexts } from "./locales/catalogues.ts";
export type { Messages } from "./locales/messages.ts";
export type { Scope } from "./model/scopes.ts";
export type {
  AccessControlOptions,
  ControlPlaneOptions,
  CryptoOptions,
  LimitOptions,
  LogOptions,
  MessageOptions,
  NetworkOptions,
  PaginationOptions,
  PosternOptions,
  SyncOptions,
  TestingOptions,
} from "./setup/options.ts";
export type { DeliverOptions, Postern } from "./postern.ts";
export { createPostern } from "./postern.ts";
export type {
  Seed,
  SeedApi,
  SeedClient,
  SeedConnection,
  SeedDifference,
  SeedMember,
  SeedOrganization,
  SeedReport,
  SeedRole,
  SeedScope,
  SeedUser,
} from "./seeding/seed.ts";
export { checkTenantId } from "./tenancy/check-tenant-id.ts";
export type { SweepOptions, Swept } from "./tenancy/sweep.ts";
