/** Returns text for a quoted string of a header: printable ASCII without quotes and backslashes (RFC 6750 section 3). */
export function quoted(text: string): string {
  return text.replaceAll(/["\\]|[^ -~]/g, "");
}
