/**
 * How the options of a strategy are inherited from a connection of another tenant. Options that are in no list here
 * identify the provider and Postern's account there (`client_id`, endpoints, issuers, senders). They are inherited
 * together or not at all, as are all secrets.
 */
export interface Inheritance {
  /**
   * Options that are inherited one by one. A connection may set them and still inherit the others. All flags are such
   * options, at any depth.
   */
  readonly preferences: readonly string[];
  /** Options that are never inherited: each tenant decides who may sign in, and with which identifiers. */
  readonly neverInherited: readonly string[];
  /** Flags that are not preferences, because they select another provider. */
  readonly selectingFlags?: readonly string[];
}
