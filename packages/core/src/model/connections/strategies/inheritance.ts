/**
 * How the options of a strategy are inherited from a connection of another tenant. Options that are not in one of these
 * lists identify the provider or Postern's account with the provider (`client_id`, endpoints, issuers, senders). They
 * are inherited together with all secrets, or not at all.
 */
export interface Inheritance {
  /**
   * Options that are inherited individually. A connection may set some of them and still inherit the other options. All
   * flags, at any depth, are treated as preferences.
   */
  readonly preferences: readonly string[];
  /** Options that are never inherited: each tenant decides who may sign in, and with which identifiers. */
  readonly neverInherited: readonly string[];
  /** Flags that are not preferences, because they select a different provider. */
  readonly selectingFlags?: readonly string[];
}
