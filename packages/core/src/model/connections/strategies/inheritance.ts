/**
 * What becomes of a strategy's options where a connection inherits from one of another tenant. Options that are in no list here say which provider it is, where that is, and who we are there
 * (`client_id`, endpoints, issuers, senders): those are inherited whole or not at all, and so are all secrets.
 */
export interface Inheritance {
  /** Options that fall back one by one, and that a connection may set without being one of its own. Switches are among them wherever they stand. */
  readonly preferences: readonly string[];
  /** Options that never fall back: who may sign in, and by what, is each tenant's own to say. */
  readonly own: readonly string[];
  /** Switches that are no preference, because they choose another provider. */
  readonly choosing?: readonly string[];
}
