import { base64url } from "jose";
import type { CreationOptions, RequestOptions } from "../src/model/factors/webauthn.ts";

/** How a {@link SoftwareAuthenticator} behaves. Each member except `origin` is a defect or a property of a real one. */
export interface AuthenticatorBehavior {
  /** The origin of the page. */
  readonly origin: string;
  /** The `type` of the client data. Default: the type of the ceremony. */
  readonly clientDataType?: string;
  /** The challenge in the client data. Default: that of the options. */
  readonly challenge?: string;
  /** Further members of the client data, such as `crossOrigin`. */
  readonly clientData?: object;
  /** The RP ID in the authenticator data. Default: that of the options. */
  readonly rpId?: string;
  /** Whether the user is present (UP). Default: true. */
  readonly userPresent?: boolean;
  /** Whether the user is verified (UV). Default: true. */
  readonly userVerified?: boolean;
  /** Whether a credential can be backed up (BE). Default: false. */
  readonly backupEligible?: boolean;
  /** Whether a credential is backed up (BS). Default: false. */
  readonly backedUp?: boolean;
  /** The signature counter. Default: one more than before. `0` for an authenticator without a counter. */
  readonly counter?: number;
  /** The public key of a new credential. Default: `ES256`. */
  readonly key?: KeyKind;
  /** The COSE algorithm in the public key. Default: that of the key. */
  readonly algorithm?: number;
  /** The number of bytes of a new credential's id. Default: 32. */
  readonly credentialIdLength?: number;
  /** The id of a new credential. Default: random bytes. */
  readonly credentialId?: Uint8Array<ArrayBuffer>;
  /** The attestation statement of a new credential. Default: the format `none` with an empty statement. */
  readonly attestation?: { readonly format: string; readonly statement: CborMap };
  /** Whether a new credential's key signs the attestation (self attestation). Default: false. */
  readonly selfAttested?: boolean;
  /** The attestation object of a new credential. Default: the right one. */
  readonly attestationObject?: Uint8Array<ArrayBuffer>;
  /** The user handle that is sent with an assertion. Default: that of the credential. `null`: none. */
  readonly userHandle?: string | null;
  /** The id in an assertion. Default: that of the credential. */
  readonly sentId?: string;
  /** Whether the signature of an assertion is wrong. Default: false. */
  readonly wrongSignature?: boolean;
  /** Further members of an assertion's or attestation's response. */
  readonly response?: object;
}

type KeyKind = "ES256" | "EdDSA" | "RS256" | "RS256 with 1024 bits" | "ES384";

/** A credential of a {@link SoftwareAuthenticator}. */
export interface SoftwareCredential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly keys: CryptoKeyPair;
  readonly kind: KeyKind;
  counter: number;
}

/** An authenticator and its browser, for tests on any runtime. Returns results as a page sends them to the server. */
export interface SoftwareAuthenticator {
  readonly credentials: SoftwareCredential[];
  /** Does what `navigator.credentials.create()` does, with attestation `none`. */
  create(options: CreationOptions, behavior?: Partial<AuthenticatorBehavior>): Promise<AuthenticatorResult>;
  /** Does what `navigator.credentials.get()` does, with the newest credential that the options allow. */
  get(options: RequestOptions, behavior?: Partial<AuthenticatorBehavior>): Promise<AuthenticatorResult>;
}

/** The result of a ceremony as JSON (WebAuthn Level 3: `toJSON()`). */
export interface AuthenticatorResult {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly authenticatorAttachment: string;
  readonly clientExtensionResults: object;
  readonly response: { readonly [member: string]: unknown };
}

/** Creates a {@link SoftwareAuthenticator}. @param always the behavior unless a call overrides it. */
export function createSoftwareAuthenticator(always: AuthenticatorBehavior): SoftwareAuthenticator {
  const credentials: SoftwareCredential[] = [];
  return {
    credentials,
    async create({ challenge, rp, user, excludeCredentials, authenticatorSelection }, more) {
      const behavior = { ...always, ...more };
      if (credentials.some(({ id }) => excludeCredentials.some((excluded) => excluded.id === id))) throw new Error("InvalidStateError");
      const { key: kind = "ES256", credentialIdLength = 32 } = behavior;
      const idBytes = behavior.credentialId ?? crypto.getRandomValues(new Uint8Array(credentialIdLength));
      const keys = await generateKeys(kind);
      const credential = { id: base64url.encode(idBytes), rpId: rp.id, userHandle: user.id, keys, kind, counter: 0 };
      credentials.unshift(credential);
      const attested = concat(new Uint8Array(16), uint16(idBytes.length), idBytes, cbor(await coseKey(credential, behavior.algorithm)));
      const authData = concat(await authenticatorData(credential, behavior, 0x40), attested);
      const clientData = clientDataJson("webauthn.create", challenge, behavior);
      const self = new Map<string, Cbor>([
        ["alg", -7],
        ["sig", await sign(credential, await signedBytes(authData, clientData))],
      ]);
      const usual = behavior.selfAttested === true ? { format: "packed", statement: self } : { format: "none", statement: new Map() };
      const { format, statement } = behavior.attestation ?? usual;
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ["fmt", format],
          ["attStmt", statement],
          ["authData", authData],
        ]),
      );
      return resultOf(credential.id, authenticatorSelection.authenticatorAttachment ?? "platform", {
        clientDataJSON: clientData,
        attestationObject: base64url.encode(behavior.attestationObject ?? attestationObject),
        transports: ["internal", "hybrid"],
        ...behavior.response,
      });
    },
    async get({ challenge, rpId, allowCredentials }, more) {
      const behavior = { ...always, ...more };
      const credential = credentials.find(
        (one) => one.rpId === rpId && (allowCredentials === undefined || allowCredentials.some(({ id }) => id === one.id)),
      );
      if (credential === undefined) throw new Error("NotAllowedError");
      const authData = await authenticatorData(credential, behavior, 0);
      const clientData = clientDataJson("webauthn.get", challenge, behavior);
      const signature = await sign(credential, await signedBytes(authData, clientData));
      if (behavior.wrongSignature === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      const userHandle = behavior.userHandle === undefined ? credential.userHandle : behavior.userHandle;
      return resultOf(behavior.sentId ?? credential.id, "platform", {
        clientDataJSON: clientData,
        authenticatorData: base64url.encode(authData),
        signature: base64url.encode(signature),
        ...(userHandle !== null && { userHandle }),
        ...behavior.response,
      });
    },
  };
}

function resultOf(id: string, attachment: string, response: AuthenticatorResult["response"]): AuthenticatorResult {
  return { id, rawId: id, type: "public-key", authenticatorAttachment: attachment, clientExtensionResults: {}, response };
}

function clientDataJson(type: string, challenge: string, behavior: AuthenticatorBehavior): string {
  const { origin, clientDataType = type, challenge: sent = challenge, clientData } = behavior;
  return base64url.encode(JSON.stringify({ type: clientDataType, challenge: sent, origin, crossOrigin: false, ...clientData }));
}

/** Returns the RP ID hash, the flags and the counter (WebAuthn section 6.1). */
async function authenticatorData(credential: SoftwareCredential, behavior: AuthenticatorBehavior, flags: number): Promise<Bytes> {
  const { userPresent = true, userVerified = true, backupEligible = false, backedUp = false, rpId = credential.rpId } = behavior;
  credential.counter = behavior.counter ?? credential.counter + 1;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId));
  const bits = flags | (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | (backupEligible ? 0x08 : 0) | (backedUp ? 0x10 : 0);
  return concat(new Uint8Array(hash), Uint8Array.of(bits), uint16(credential.counter >>> 16), uint16(credential.counter & 0xffff));
}

const keyParameters = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  EdDSA: { name: "Ed25519" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
};

/** Some runtimes create no short RSA keys, so the public key of a longer one is cut. It verifies no signature. */
function kindOfKeys(kind: KeyKind): keyof typeof keyParameters {
  return kind === "RS256 with 1024 bits" ? "RS256" : kind;
}

async function generateKeys(kind: KeyKind): Promise<CryptoKeyPair> {
  const keys = await crypto.subtle.generateKey(keyParameters[kindOfKeys(kind)], true, ["sign", "verify"]);
  if ("type" in keys) throw new Error("not a key pair");
  return keys;
}

/** Returns the public key as a COSE map (RFC 9053 section 7, RFC 8230 section 4). */
async function coseKey({ keys, kind }: SoftwareCredential, algorithm: number | undefined): Promise<CborMap> {
  const { x = "", y = "", n = "", e = "" } = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const bytes = (text: string): Bytes => new Uint8Array(base64url.decode(text));
  const [type, alg] = { ES256: [2, -7], ES384: [2, -35], EdDSA: [1, -8], RS256: [3, -257], "RS256 with 1024 bits": [3, -257] }[kind];
  const head: [number, Cbor][] = [
    [1, type ?? 0],
    [3, algorithm ?? alg ?? 0],
  ];
  if (type === 3) return new Map([...head, [-1, bytes(n).slice(kind === "RS256" ? 0 : 128)], [-2, bytes(e)]]);
  if (type === 1) return new Map([...head, [-1, 6], [-2, bytes(x)]]);
  return new Map([...head, [-1, kind === "ES256" ? 1 : 2], [-2, bytes(x)], [-3, bytes(y)]]);
}

/** Returns the bytes that an authenticator signs (WebAuthn section 6.3.3). */
async function signedBytes(authData: Bytes, clientData: string): Promise<Bytes> {
  return concat(authData, new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(base64url.decode(clientData)))));
}

async function sign({ keys: { privateKey }, kind }: SoftwareCredential, data: Bytes): Promise<Bytes> {
  const { name } = keyParameters[kindOfKeys(kind)];
  const signature: Bytes = new Uint8Array(await crypto.subtle.sign({ name, hash: "SHA-256" }, privateKey, data));
  if (name !== "ECDSA") return signature;
  // WebAuthn uses the ASN.1 form of ECDSA signatures (section 6.5.5).
  const half = signature.length / 2;
  const integers = concat(derInteger(signature.slice(0, half)), derInteger(signature.slice(half)));
  return concat(Uint8Array.of(0x30, integers.length), integers);
}

function derInteger(bytes: Bytes): Bytes {
  const trimmed = bytes.slice(bytes.findIndex((byte) => byte !== 0));
  const positive = (trimmed[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), trimmed) : trimmed;
  return concat(Uint8Array.of(0x02, positive.length), positive);
}

type Bytes = Uint8Array<ArrayBuffer>;
type Cbor = number | string | Bytes | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<number | string, Cbor>;

/** Encodes a value as CBOR (RFC 8949). */
export function cbor(value: Cbor): Bytes {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    return concat(cborHead(3, bytes.length), bytes);
  }
  if (value instanceof Uint8Array) return concat(cborHead(2, value.length), value);
  if (value instanceof Map) return concat(cborHead(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)]));
  const items = [...value.values()];
  return concat(cborHead(4, items.length), ...items.map(cbor));
}

function cborHead(major: number, length: number): Bytes {
  const kind = major << 5;
  if (length < 24) return Uint8Array.of(kind | length);
  return length < 0x100 ? Uint8Array.of(kind | 24, length) : concat(Uint8Array.of(kind | 25), uint16(length));
}

function uint16(value: number): Bytes {
  return Uint8Array.of(value >>> 8, value & 0xff);
}

function concat(...parts: readonly Bytes[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
