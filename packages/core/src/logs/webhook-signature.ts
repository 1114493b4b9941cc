import type { Random } from "../adapters/random.ts";

/**
 * Signs webhooks as Standard Webhooks (https://www.standardwebhooks.com) specifies: with an HMAC-SHA256 and a secret
 * that the receiver knows.
 */

const prefix = "whsec_";
const encoder = new TextEncoder();

/** Creates the secret for a receiver: 24 random bytes. */
export function makeWebhookSecret(random: Random): string {
  return prefix + base64(random.bytes(24));
}

/**
 * Returns the headers that sign a message.
 * @param id the id of the message, the same for each delivery attempt.
 * @param now milliseconds since 1970.
 */
export async function webhookHeaders(
  secret: string,
  { id, text, now }: { readonly id: string; readonly text: string; readonly now: number },
): Promise<{ readonly [header: string]: string }> {
  const timestamp = String(Math.floor(now / 1000));
  const bytes = Uint8Array.from(atob(secret.slice(prefix.length)), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${timestamp}.${text}`));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${base64(new Uint8Array(mac))}` };
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
