/** The digest of a text, in hexadecimal. */
export async function digest(algorithm: "SHA-1" | "SHA-256", text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
