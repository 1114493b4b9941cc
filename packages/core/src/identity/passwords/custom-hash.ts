import { fromBase64, fromHex, toBase64, utf8, type Bytes } from "./bytes.ts";
import { formatPhc } from "./phc.ts";

/** The encoding of bytes as text. */
export type Encoding = "base64" | "hex" | "utf8";

/** A password hash from another system, in the format of `custom_password_hash` in Auth0's user imports. */
export type CustomHash =
  | { readonly algorithm: "argon2" | "bcrypt" | "pbkdf2"; readonly hash: { readonly value: string } }
  | {
      readonly algorithm: "scrypt";
      readonly hash: { readonly value: string; readonly encoding: "base64" | "hex" };
      readonly salt?: { readonly value: string; readonly encoding?: Encoding | undefined } | undefined;
      readonly cost?: number | undefined;
      readonly blockSize?: number | undefined;
      readonly parallelization?: number | undefined;
    }
  | {
      readonly algorithm: "hmac";
      readonly hash: {
        readonly value: string;
        readonly encoding: "base64" | "hex";
        readonly digest: "md5" | "sha1" | "sha256" | "sha512";
        readonly key: { readonly value: string; readonly encoding?: Encoding | undefined };
      };
    }
  | {
      readonly algorithm: "md5" | "sha1" | "sha256" | "sha512";
      readonly hash: { readonly value: string; readonly encoding: "base64" | "hex" };
      readonly salt?:
        | { readonly value: string; readonly encoding?: Encoding | undefined; readonly position?: "prefix" | "suffix" | undefined }
        | undefined;
    };

/**
 * Converts a hash from another system to the stored format. Undefined if a value does not match its declared encoding.
 * Whether the hash can be verified is not checked: the hasher's `accepts` does that.
 */
export function storedForm(custom: CustomHash): string | undefined {
  switch (custom.algorithm) {
    case "argon2":
    case "bcrypt":
    case "pbkdf2":
      return custom.hash.value;
    case "scrypt": {
      const { cost = 16_384, blockSize = 8, parallelization = 1 } = custom;
      const [salt, key] = [bytesOf(custom.salt?.value ?? "", custom.salt?.encoding), bytesOf(custom.hash.value, custom.hash.encoding)];
      const log = Math.log2(cost);
      if (!Number.isInteger(log)) return undefined;
      return phc("scrypt", { ln: String(log), r: String(blockSize), p: String(parallelization) }, salt, key);
    }
    case "hmac": {
      const { value, encoding, digest, key } = custom.hash;
      return phc("digest", { a: digest, c: "hmac" }, bytesOf(key.value, key.encoding), bytesOf(value, encoding));
    }
    default: {
      const { algorithm, hash, salt } = custom;
      const salted = salt !== undefined && salt.value !== "";
      const construction = salted ? (salt.position ?? "prefix") : "plain";
      return phc(
        "digest",
        { a: algorithm, c: construction },
        salted ? bytesOf(salt.value, salt.encoding) : utf8("-"),
        bytesOf(hash.value, hash.encoding),
      );
    }
  }
}

function phc(
  id: string,
  parameters: { readonly [name: string]: string },
  salt: Bytes | undefined,
  key: Bytes | undefined,
): string | undefined {
  if (salt === undefined || key === undefined) return undefined;
  return formatPhc({ id, parameters: new Map(Object.entries(parameters)), salt: toBase64(salt), hash: toBase64(key) });
}

function bytesOf(text: string, encoding: Encoding = "utf8"): Bytes | undefined {
  if (encoding === "utf8") return utf8(text);
  return encoding === "hex" ? fromHex(text) : fromBase64(text);
}
