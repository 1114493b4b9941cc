import { base64url } from "jose";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";

/**
 * A WebAuthn operation. `conditional-create` creates a passkey without a prompt after a sign-in by password, so that
 * neither the presence of the user nor user verification is confirmed.
 */
export type Ceremony = "create" | "conditional-create" | "get";

/** How long a browser waits for the user by default, in milliseconds. */
export const promptTimeout = 10 * 60_000;

/** Where a challenge is valid. It is invalid for any other value of any member. */
export interface ChallengePlace {
  readonly ceremony: Ceremony;
  readonly rpId: string;
  /** The login session, `auth_session` or session that the challenge was created for. */
  readonly boundTo: string;
  /** The user handle of a new credential; the id of the user who must authenticate; or "" for any user. */
  readonly subject: string;
}

/**
 * Milliseconds from the creation of a challenge until it expires. An authentication has as long as a login session,
 * because autofill offers passkeys on a page that can stay open for that long.
 */
const lifetimes: { readonly [ceremony in Ceremony]: number } = {
  create: 10 * 60_000,
  "conditional-create": 10 * 60_000,
  get: 60 * 60_000,
};

/**
 * Creates a challenge: 32 bytes in base64url. The bytes are the time (6), random bytes (10), and a keyed hash of these
 * and of the place (16). Creating a challenge therefore stores nothing, although each page with an identifier field
 * contains one.
 */
export async function createChallenge(context: DataContext, place: ChallengePlace): Promise<string> {
  const head = context.random.bytes(16);
  const view = new DataView(head.buffer, head.byteOffset);
  const now = context.now();
  view.setUint32(0, Math.floor(now / 0x1_00_00));
  view.setUint16(4, now % 0x1_00_00);
  const hash = base64url.decode(await hashOf(context, place, head));
  return base64url.encode(Uint8Array.of(...head, ...hash));
}

/**
 * Uses a challenge. Call this before the verification of the response, so that a response that fails also uses its
 * challenge. The insert of a row with the challenge's hash decides: of parallel calls, only one succeeds.
 * @param challenge the text in the client data of the response.
 * @returns `false` if the challenge was not created for this place, expired or was used before.
 */
export async function useChallenge(context: DataContext, place: ChallengePlace, challenge: string): Promise<boolean> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return false;
  const bytes = base64url.decode(challenge);
  const head = bytes.slice(0, 16);
  if (!equalInConstantTime(base64url.encode(bytes.slice(16)), await hashOf(context, place, head))) return false;
  const view = new DataView(head.buffer);
  const createdAt = view.getUint32(0) * 0x1_00_00 + view.getUint16(4);
  const now = context.now();
  const lifetime = lifetimes[place.ceremony];
  if (now >= createdAt + lifetime) return false;
  return context.data.tickets.insert([
    {
      // Four texts decode to the same bytes, so the text of the client data must not be hashed.
      ticket_hash: await sha256(base64url.encode(bytes)),
      purpose: "webauthn",
      // Not the user: deleting the tickets of a user would make the challenge valid again.
      user_id: "",
      client_id: null,
      request: { ceremony: place.ceremony, rp_id: place.rpId },
      created_at: createdAt,
      // Twice the lifetime, so that a process with a fast clock does not delete the row of a valid challenge.
      expires_at: createdAt + 2 * lifetime,
      consumed_at: now,
    },
  ]);
}

function hashOf(context: DataContext, { ceremony, rpId, boundTo, subject }: ChallengePlace, head: Uint8Array): Promise<string> {
  const { data, secrets } = context;
  return secrets.fingerprints.of("webauthn challenge", data.tenantId, ceremony, rpId, boundTo, subject, base64url.encode(head));
}
