/**
 * How the options of a strategy are inherited from a connection of another tenant. Options that are in no list here
 * identify the provider and our account there (`client_id`, endpoints, issuers, senders). They are inherited together
 * or not at all, as are all secrets.
 */
export interface Inheritance {
  /**
   * Options that are inherited one by one. A connection may set them and still inherit the others. All flags belong to
   * them, at any depth.
   */
  readonly preferences: readonly string[];
  /** Options that are never inherited: each tenant decides who may sign in, and with which identifiers. */
  readonly own: readonly string[];
  /** Flags that are not preferences, because they select another provider. */
  readonly choosing?: readonly string[];
}
