/** A postal address (OpenID Connect Core section 5.1.1). Has at least one member. */
export interface PostalAddress {
  /** The full address for display or a label, at most 1000 characters. It can have several lines. */
  readonly formatted?: string;
  /** The street, the house number and similar, at most 500 characters. It can have several lines. */
  readonly street_address?: string;
  /** The city, at most 150 characters. */
  readonly locality?: string;
  /** The state, province or region, at most 150 characters. */
  readonly region?: string;
  /** At most 32 characters. */
  readonly postal_code?: string;
  /** At most 150 characters. */
  readonly country?: string;
}
