/**
 * A list of passwords that were exposed in data breaches, such as Have I Been Pwned or a copy of it. Postern queries
 * the list by the prefix of a password's hash, and never sends it the password.
 */
export interface BreachedPasswords {
  /**
   * Returns the known hashes that start with a prefix. Called when a password is set. A rejection, or no result within
   * one second, allows the password and writes an audit event.
   * @param prefix the first five hexadecimal digits, in upper case, of the SHA-1 hash of the password.
   * @param options `signal` is aborted at the timeout.
   * @returns the other 35 hexadecimal digits of each known hash with this prefix, in any letter case. A colon and a
   * count may follow, as in the responses of the public service; a hash with the count 0 is ignored.
   *
   * @example
   * const range = async (prefix, { signal }) => {
   *   const response = await fetch(`https://api.pwnedpasswords.com/range/${prefix}`, { headers: { "add-padding": "true" }, signal });
   *   if (!response.ok) throw new Error(`the list of breached passwords responded with ${response.status}`);
   *   return (await response.text()).split("\r\n");
   * };
   */
  range(prefix: string, options: { readonly signal: AbortSignal }): Promise<Iterable<string>>;
}
