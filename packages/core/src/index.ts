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
  PostChallengeApi,
  PostChallengeEvent,
  PostChangePasswordEvent,
  PostLoginApi,
  PostLoginEvent,
  PostUserRegistrationEvent,
  PreUserRegistrationApi,
  PreUserRegistrationEvent,
  PreUserUpdateApi,
  PreUserUpdateEvent,
  SendPhoneMessageEvent,
} from "./adapters/actions.ts";
export type { BreachedPasswords } from "./adapters/breached-passwords.ts";
export type { ConnectionStrategy, StrategyAttempt, StrategyRequest, StrategyResponse } from "./adapters/connection-strategy.ts";
export type { ControlPlaneResolver, ControlPlaneReference } from "./adapters/control-plane.ts";
export type { DatabaseIsolation } from "./adapters/database-isolation.ts";
export type { DomainClaim, DomainVerifier } from "./adapters/domain-verifier.ts";
export type { PasswordHasher, PasswordVerdict } from "./adapters/hasher.ts";
export { BusyError, PasswordTooLongError, UnavailableAlgorithmError, UnsupportedHashError } from "./adapters/hasher.ts";
export type { KeyRing, SealingKey } from "./adapters/key-ring.ts";
export { parseKeyRing } from "./crypto/key-ring.ts";
export type { DeliveredEvent, LogDelivery, LogSink } from "./adapters/log-sink.ts";
export type { Delivered } from "./tenants/deliver-events.ts";
export type { LogEntry, Logger } from "./adapters/logger.ts";
export { consoleLogger } from "./adapters/logger.ts";
export type { Mail, MailProvider, MailSender } from "./adapters/mail.ts";
export type { OperationExecutor } from "./adapters/operation-executor.ts";
export type { RateLimitDecision, RateLimiter, RateLimitScope } from "./adapters/rate-limit.ts";
export type { Sms, SmsSender, VoiceCall } from "./adapters/sms.ts";
export type { SubdomainRouting } from "./adapters/subdomain-routing.ts";
export type {
  Meter,
  ObservableInstrument,
  Span,
  SpanContext,
  SpanOptions,
  TelemetryAttributes,
  TelemetryOptions,
  Tracer,
} from "./adapters/telemetry.ts";
export type { HookTenant, ReportStep, StepStatus, TenantHooks } from "./adapters/tenant-hooks.ts";
export type { PostalAddress } from "./adapters/postal-address.ts";
export type { ProfileClaims } from "./adapters/profile-claims.ts";
export type { UserSourceQuery, SourceUser, UserSource } from "./adapters/user-source.ts";
export type { PasswordHasherOptions } from "./identity/passwords/hasher.ts";
export { createPasswordHasher } from "./identity/passwords/hasher.ts";
export type { CustomHash, Encoding } from "./identity/passwords/custom-hash.ts";
export type { ImportCounts, ImportedUser, ImportFault } from "./identity/users/import/import-users.ts";
export type { DoctorOptions } from "./setup/doctor/run-checks.ts";
export { ConfigurationError } from "./setup/configuration-error.ts";
export type { SetupCheck, Finding } from "./setup/finding.ts";
export type { ErrorCode, ErrorDetails, Auth0ErrorCode } from "./errors.ts";
export { isPosternError, PosternError } from "./errors.ts";
export type { RequestExtra } from "./server/request-extra.ts";
export type { ImportUsersOptions } from "./operations/in-process/import-users.ts";
export type { TenantOptions } from "./operations/in-process/in-process.ts";
export type { TransactionApi } from "./operations/in-process/in-transaction.ts";
export type { PageTexts } from "./locales/translations.ts";
export type { Messages } from "./locales/messages.ts";
export type { Scope } from "./model/scopes.ts";
export type * from "./setup/options.ts";
export type { CloseOptions, DeliverOptions, Postern, PosternHandler, PosternJobs } from "./postern.ts";
export { createPostern } from "./postern.ts";
export type {
  Seed,
  SeedApi,
  SeedClient,
  SeedConnection,
  SeedDifference,
  SeedMember,
  SeedOrganization,
  SeedExternalClients,
  SeedPasskeys,
  SeedReport,
  SeedRole,
  SeedScope,
  SeedSecondFactors,
  SeedUser,
} from "./operations/seed/seed.ts";
export { checkTenantId } from "./tenants/check-tenant-id.ts";
export type { SweepOptions, SweepResult } from "./operations/sweep/sweep.ts";
