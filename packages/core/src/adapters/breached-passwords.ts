/** Knows passwords that were found in data breaches, without being told the password: a service such as Have I Been Pwned, or a copy of its list. */
export interface BreachedPasswords {
  /**
   * Asked when a password is set. A rejection, or no answer within one second, allows the password and is an event.
   * @param prefix the first five hexadecimal digits, in upper case, of the SHA-1 of the password.
   * @param options `signal` is aborted when the answer would come too late.
   * @returns the other 35 digits of each hash that begins so and is known, in any case. A count may follow after a colon, as the public service has it; 0 stands for a hash that is not known.
   *
   * @example
   * const range = async (prefix, { signal }) => {
   *   const response = await fetch(`https://api.pwnedpasswords.com/range/${prefix}`, { headers: { "add-padding": "true" }, signal });
   *   if (!response.ok) throw new Error(`the list of breached passwords answered ${response.status}`);
   *   return (await response.text()).split("\r\n");
   * };
   */
  range(prefix: string, options: { readonly signal: AbortSignal }): Promise<Iterable<string>>;
}
