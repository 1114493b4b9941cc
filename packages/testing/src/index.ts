export type { MovableClock } from "./clock.ts";
export type { Certificate } from "./listen.ts";
export type { Inbox, Message, MessageQuery } from "./inbox.ts";
export type { SignInOptions, SignedIn, StorageState } from "./sign-in.ts";
export type { NewTestUser, TestProvider, TestTenant, TestUser } from "./test-tenant.ts";
export type { ProviderUser } from "./test-provider.ts";
export type { TestIdp, TestIdpOptions } from "./test-idp.ts";
export { createTestIdp } from "./test-idp.ts";
