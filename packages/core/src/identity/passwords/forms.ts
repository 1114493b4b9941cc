import { fromBase64, fromHex, utf8, type Bytes } from "./bytes.ts";
import { numberIn, parsePhc, type PhcString } from "./phc.ts";
import type { BcryptHash, DigestHash, FirebaseHash, Pbkdf2Hash, ScryptHash, StoredHash } from "./stored-hash.ts";

/** The digest algorithms, by their names in hashes. If a hash names none, the digest is SHA-1, as in RFC 8018. */
const digests: ReadonlyMap<string, Pbkdf2Hash["digest"]> = new Map([
  ["", "SHA-1"],
  ["sha1", "SHA-1"],
  ["sha256", "SHA-256"],
  ["sha512", "SHA-512"],
]);

/** Parses a bcrypt hash in its common form. All three prefixes stand for the same algorithm. */
export function readBcrypt(text: string): BcryptHash | undefined {
  const [, rest] = /^\$2[aby](\$(?:0[4-9]|[12]\d|3[01])\$[A-Za-z0-9./]{53})$/.exec(text) ?? [];
  return rest === undefined ? undefined : { kind: "bcrypt", text: `$2b${rest}` };
}

/** Parses a PHC string that Postern or another system wrote. */
export function readPhc(text: string): StoredHash | undefined {
  const read = parsePhc(text);
  if (read === undefined) return undefined;
  if (read.id === "fbscrypt") return firebase(read);
  const salt = fromBase64(read.salt);
  const key = fromBase64(read.hash);
  if (salt === undefined || key === undefined) return undefined;
  const number = (name: string) => numberIn(read, name) ?? Number.NaN;
  const only = (...names: string[]) => Array.from(read.parameters.keys()).every((name) => names.includes(name));
  switch (read.id) {
    case "argon2d":
    case "argon2i":
    case "argon2id": {
      const numbers = { memory: number("m"), passes: number("t"), parallelism: number("p") };
      return read.version === 19 && only("m", "t", "p") ? { kind: "argon2", variant: read.id, ...numbers, salt, key } : undefined;
    }
    case "scrypt": {
      const numbers = { cost: 2 ** number("ln"), blockSize: number("r"), parallelism: number("p") };
      return read.version === undefined && only("ln", "r", "p") ? { kind: "scrypt", ...numbers, salt, key } : undefined;
    }
    case "digest":
      return digestOf(read, salt, key);
    default: {
      const digest = read.id.startsWith("pbkdf2") ? digests.get(read.id.replace(/^pbkdf2-?/, "")) : undefined;
      const fits = !read.parameters.has("l") || number("l") === key.length;
      if (digest === undefined || !only("i", "l") || !fits || read.version !== undefined) return undefined;
      return { kind: "pbkdf2", digest, iterations: number("i"), salt, key };
    }
  }
}

const constructions = ["prefix", "suffix", "plain", "hmac"] as const;
const digestNames = ["md5", "sha1", "sha256", "sha512"] as const;

/**
 * Parses the format in which Postern stores digests: `$digest$a=sha256,c=prefix$salt$hash`. The salt of a plain digest
 * is ignored.
 */
function digestOf({ parameters, version }: PhcString, salt: Bytes, key: Bytes): DigestHash | undefined {
  const digest = digestNames.find((name) => name === parameters.get("a"));
  const construction = constructions.find((name) => name === parameters.get("c"));
  if (digest === undefined || construction === undefined || parameters.size !== 2 || version !== undefined) return undefined;
  return { kind: "digest", digest, construction, salt, key };
}

/** Parses the format in which Supabase exports Firebase hashes: `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=…$salt$hash`. */
function firebase(read: PhcString): FirebaseHash | undefined {
  const [salt, separator] = [fromBase64(read.salt), fromBase64(read.parameters.get("ss") ?? "")];
  const [signerKey, key] = [fromBase64(read.parameters.get("sk") ?? ""), fromBase64(read.hash)];
  if (salt === undefined || separator === undefined || signerKey === undefined || key === undefined) return undefined;
  if (numberIn(read, "v") !== 1 || signerKey.length !== key.length) return undefined;
  const number = (name: string) => numberIn(read, name) ?? Number.NaN;
  const salted = new Uint8Array([...salt, ...separator]);
  return { kind: "firebase", cost: 2 ** number("n"), blockSize: number("r"), parallelism: number("p"), salt: salted, key, signerKey };
}

/** Parses the formats of passlib, Django and Werkzeug. In the latter two, the salt is plain text. */
export function readTextual(text: string): StoredHash | undefined {
  const passlib = /^\$pbkdf2(?:-(sha256|sha512))?\$(\d{1,9})\$([A-Za-z0-9./]+)\$([A-Za-z0-9./]+)$/.exec(text);
  if (passlib) {
    const [, digest = "", iterations, salt = "", key = ""] = passlib;
    return pbkdf2(digest, iterations, fromBase64(salt.replaceAll(".", "+")), fromBase64(key.replaceAll(".", "+")));
  }
  const django = /^pbkdf2_(sha1|sha256)\$(\d{1,9})\$([^$]+)\$([A-Za-z0-9+/=]+)$/.exec(text);
  if (django) {
    const [, digest = "", iterations, salt = "", key = ""] = django;
    return pbkdf2(digest, iterations, utf8(salt), fromBase64(key));
  }
  const werkzeug = /^pbkdf2:(sha1|sha256|sha512):(\d{1,9})\$([^$]+)\$([0-9a-f]+)$/.exec(text);
  if (werkzeug) {
    const [, digest = "", iterations, salt = "", key = ""] = werkzeug;
    return pbkdf2(digest, iterations, utf8(salt), fromHex(key));
  }
  return werkzeugScrypt(text);
}

function werkzeugScrypt(text: string): ScryptHash | undefined {
  const [, cost, blockSize, parallelism, salt = "", hex = ""] =
    /^scrypt:(\d{1,9}):(\d{1,4}):(\d{1,4})\$([^$]+)\$([0-9a-f]+)$/.exec(text) ?? [];
  const key = fromHex(hex);
  if (cost === undefined || key === undefined) return undefined;
  return { kind: "scrypt", cost: Number(cost), blockSize: Number(blockSize), parallelism: Number(parallelism), salt: utf8(salt), key };
}

function pbkdf2(name: string, iterations: string | undefined, salt: Bytes | undefined, key: Bytes | undefined): Pbkdf2Hash | undefined {
  const digest = digests.get(name);
  if (digest === undefined || salt === undefined || key === undefined) return undefined;
  return { kind: "pbkdf2", digest, iterations: Number(iterations), salt, key };
}
