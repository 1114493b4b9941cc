/** Not an ellipsis: browsers break lines after it, and next to a full stop it reads as four dots. */
const hidden = "•••";

/**
 * Masks a phone number or an email address for a user who has passed only one factor: `•••67`, `a•••@acme.example`. The
 * user recognizes it, and somebody else does not learn it.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at > 0) return `${String.fromCodePoint(address.codePointAt(0) ?? 0)}${hidden}${address.slice(at)}`;
  return `${hidden}${address.slice(-2)}`;
}
