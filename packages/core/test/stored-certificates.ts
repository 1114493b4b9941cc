/** A certificate that the first version of Postern issued and stored. */
interface StoredCertificate {
  readonly alg: "RS256" | "ES256";
  readonly commonName: string;
  readonly notAfter: number;
  readonly pem: string;
}

/** The private keys of {@link storedCertificates}: for tests only. */
export const storedKeys = {
  RS256: {
    kty: "RSA",
    n: [
      "ofAN9y-VdA_LcOPcNXQJzPPuPVuvgmLKvyc2FpxDq8sWg0k7jQuyEqBIlf2vpuitUwTHXerFQ09Xh74WwTL-5lPRXYgXm4es2hju",
      "UPoAFac-cjbN_x0I4xEbqTeBXNxXLZ0AasKduxCTu79eojSAvrJCeMxCBV0Tqp1ktX1DPnmsafMr83g3sCD7GrwnWtUqpCuIFYC_",
      "WjXBsxZ11G6Nisl1QFjr0Kt5GakF95s3Hn_oSNYvU00tp81ll0EiVcvUxX98F9KJVgIpgnPo6cIRJDQtb-h3PFGiTCerJTm-1nNj",
      "uKA0zj89vhg9Cl4yLo-Uuf_zWACfMvRtR_ctrKudSw",
    ].join(""),
    e: "AQAB",
    d: [
      "RSkGdeLbI_nY66pNMoEP7Hnjbk4Zi4iQyYnAFnD_j7_JKiHdLpRnpX_R8Ekruw-VcqbQVMJ_JAufOOiMxE94wLrcaGNGndSYlH7g",
      "TTIwVg8a4uGYIdPvJzb3xtHfTF8IVoE-m9npTmq6hY0qKAFfWNI-BGRL8Al77DqTN9W7IdNcRrCpffbQ4shtA1NfCByr_LfWTYSE",
      "kMMjiDaw5pSxTdTAXHBorhmILOffOSOh5YCTnuRxRFpzaFEY5s7P0PzZmOP3hiYRPn20KsNhBtftBlGAJuUjTbp9u7gn2d1EIhzH",
      "mjSicT5G2YEZxtIB-9ls8Q211389OpXzxszRlYvQDQ",
    ].join(""),
    p: [
      "z2z_SwDd0SMNFBfPbAt0HMJNzHd6De_M7L_3bh_Z0wR3KuQp3FHM8-WGwlPF_1vfgEmulGKMzbLDVJJVYJwtWHOF_PGgSxGyBXoI",
      "wl5H8VMX0v8CEg940U1zbEwwkMC1t3OmDgqnrhot8ihVburA1b_8-v2d-sq0KII44RLlBu0",
    ].join(""),
    q: [
      "x9wWBlKkEdB8021K47IWq8_uj9XY-qgUv1DEm95BUx3WnNSWcJ6zcFUXkQNMb0zDYWliOOq-tAgv4TsRzwjlx7hSKogBfWviiz6V",
      "G0Py7f1-LXu_2KvQILUdM_yEjxLBZLyJBjMltQ9MMkVg68jDcEOL3j47eJ74vJ5V8O7qNhc",
    ].join(""),
    dp: [
      "c1yai7taorMM1gz8BopENK54GGymjFO_NDj7wtqiCfNk14z4Hxm7lDYmgbOX3hLZtf7EwrAgwVJXwpR0OXwC2Du_3FMCJF4eFV-u",
      "uXM4LeZZzLaZDzRdrIKX3DZvmEIljncadprEcVcMEK8P_NVBFGBnsawWDeJo2lK6kasxh20",
    ].join(""),
    dq: [
      "VkNhYkNDO8kwR5WR0Guqq2fpQT39FFt98QGsitZIfdaQLkr30A4_xwmDTX0N_bA1WJNC6OwxecVa3S1Ax4rAmw6ssFzZv8fUFWPi",
      "ucz_SseyMXGLYbru718dBrZEhPiEbrWNsxZafSboLX6SkdKqwIb3FOrpgmujUs5Iq-CDSOs",
    ].join(""),
    qi: [
      "pVPkoNGsAtsho-o31oC-P_Fq_sOkvL6Mrr9QVXksZUwpae027YagB5pZ_MnW-7rRceHOam3ESZFkIPBBI_RkgENGgq6WDcv3x8VG",
      "2DA6FuMfQm8XTA0LZgkH-MGryaXKxPAuPn0Vqwy67j_-mI-RiB2589ZbTwXwKKIAke49wzM",
    ].join(""),
  },
  ES256: {
    kty: "EC",
    x: "dV56063sWeXbLUSCU7ufmdUZY_CmIV9UW3n1AH1VeY4",
    y: "_NxP5K3qr35oEPqrOY77CHiC1m1-azSLICtVCwoAoSM",
    crv: "P-256",
    d: "VBMP7IzUVTXoMITpkqi4Eq3jKmv4SxY-8QDZyUR2Mn8",
  },
} as const;

/** The random bytes that the serial number of every certificate in this file was created from. */
export const storedRandom = { bytes: (length: number) => Uint8Array.from({ length }, (_, index) => 0x80 + index) };

export const storedNotBefore = Date.UTC(2026, 0, 1, 12, 34, 56, 789);

/** Certificates with both encodings of dates (RFC 5280 section 4.1.2.5), and with ASCII and non-ASCII names. */
export const storedCertificates: readonly StoredCertificate[] = [
  {
    alg: "RS256",
    commonName: "id.example.test",
    notAfter: Date.UTC(2049, 11, 31, 23, 59, 59, 999),
    pem: `-----BEGIN CERTIFICATE-----
MIICvDCCAaSgAwIBAgIQQIGCg4SFhoeIiYqLjI2OjzANBgkqhkiG9w0BAQsFADAa
MRgwFgYDVQQDDA9pZC5leGFtcGxlLnRlc3QwHhcNMjYwMTAxMTIzNDU2WhcNNDkx
MjMxMjM1OTU5WjAaMRgwFgYDVQQDDA9pZC5leGFtcGxlLnRlc3QwggEiMA0GCSqG
SIb3DQEBAQUAA4IBDwAwggEKAoIBAQCh8A33L5V0D8tw49w1dAnM8+49W6+CYsq/
JzYWnEOryxaDSTuNC7ISoEiV/a+m6K1TBMdd6sVDT1eHvhbBMv7mU9FdiBebh6za
GO5Q+gAVpz5yNs3/HQjjERupN4Fc3FctnQBqwp27EJO7v16iNIC+skJ4zEIFXROq
nWS1fUM+eaxp8yvzeDewIPsavCda1SqkK4gVgL9aNcGzFnXUbo2KyXVAWOvQq3kZ
qQX3mzcef+hI1i9TTS2nzWWXQSJVy9TFf3wX0olWAimCc+jpwhEkNC1v6Hc8UaJM
J6slOb7Wc2O4oDTOPz2+GD0KXjIuj5S5//NYAJ8y9G1H9y2sq51LAgMBAAEwDQYJ
KoZIhvcNAQELBQADggEBAIh7Z380R6iWemmGRTOq1a4mkwX4e6wu/Biu58oHPFKn
mdz6Y/lj/BjrN1KWgakAyvPdYKH9o6skSZZjgPyTVAqviEBVsGqlRKx+1gqFo8cm
bc1LPrCwhp7S/wkqd8X8S2Km/C2svnNtAkVXY/rFOdkZ6Ax2VG30eOepU/0RaBiK
ueGbinOshD3aJKC8B3OaBj6BxZ5YhU+AoDiIz5aroOgX03hJMQ8qAY/wqAM036aH
7PLTyHKP+AYyQJmREEJ43gA++fH4ZusEqEZ+pCQUCF9lHFpVQWtdl3hts2kVtCpx
AjJ/xQzkavCaFdlPmBjz/pjTsrEQkUp5MxH20NjQ7wg=
-----END CERTIFICATE-----
`,
  },
  {
    alg: "RS256",
    commonName: 'Ünïted, "Söns" + #00 日本',
    notAfter: Date.UTC(2061, 0, 1),
    pem: `-----BEGIN CERTIFICATE-----
MIIC3DCCAcSgAwIBAgIQQIGCg4SFhoeIiYqLjI2OjzANBgkqhkiG9w0BAQsFADAp
MScwJQYDVQQDDB7DnG7Dr3RlZCwgIlPDtm5zIiArICMwMCDml6XmnKwwIBcNMjYw
MTAxMTIzNDU2WhgPMjA2MTAxMDEwMDAwMDBaMCkxJzAlBgNVBAMMHsOcbsOvdGVk
LCAiU8O2bnMiICsgIzAwIOaXpeacrDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCC
AQoCggEBAKHwDfcvlXQPy3Dj3DV0Cczz7j1br4Jiyr8nNhacQ6vLFoNJO40LshKg
SJX9r6borVMEx13qxUNPV4e+FsEy/uZT0V2IF5uHrNoY7lD6ABWnPnI2zf8dCOMR
G6k3gVzcVy2dAGrCnbsQk7u/XqI0gL6yQnjMQgVdE6qdZLV9Qz55rGnzK/N4N7Ag
+xq8J1rVKqQriBWAv1o1wbMWddRujYrJdUBY69CreRmpBfebNx5/6EjWL1NNLafN
ZZdBIlXL1MV/fBfSiVYCKYJz6OnCESQ0LW/odzxRokwnqyU5vtZzY7igNM4/Pb4Y
PQpeMi6PlLn/81gAnzL0bUf3LayrnUsCAwEAATANBgkqhkiG9w0BAQsFAAOCAQEA
KRh2ATDBz3MZzuPPhFDCCAfJIMcZKw44L4ZxVwTy8CLgPF/pLCWX7EfzLR03i99N
BjRTF8q2jHqqWF+yVzX2YjgHwEG+2x4tPbaZMlvSLIedwe1pK3A+dzdbyDYxxrVq
L596JJRf1n21B8nC9fJDjDCnRi/ZZ+ZT4cSKrbu/BvqCB4bGCth1xHMJA2ytvspw
ACx+vN/5hd/Lm8oejokG2Hlr1vvhB4pgoh8zbu8i3N6f4IW6pmlfkUvRnJNSOimm
XZIQbPVAAf85bFV4sjMApp+ezh3DePvji+cWn8/tU3dqbodvm+WLah0UG3j6JeAB
jWvIHgF6bK34h+PE+soVzg==
-----END CERTIFICATE-----
`,
  },
  {
    alg: "ES256",
    commonName: "id.example.test",
    notAfter: Date.UTC(2049, 11, 31, 23, 59, 59, 999),
    pem: `-----BEGIN CERTIFICATE-----
MIIBLjCB1qADAgECAhBAgYKDhIWGh4iJiouMjY6PMAoGCCqGSM49BAMCMBoxGDAW
BgNVBAMMD2lkLmV4YW1wbGUudGVzdDAeFw0yNjAxMDExMjM0NTZaFw00OTEyMzEy
MzU5NTlaMBoxGDAWBgNVBAMMD2lkLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABHVeetOt7Fnl2y1EglO7n5nVGWPwpiFfVFt59QB9VXmO/NxP
5K3qr35oEPqrOY77CHiC1m1+azSLICtVCwoAoSMwCgYIKoZIzj0EAwIDRwAwRAIg
N0xvbWaQoCdvT9TXtzznK+SvfA5kJ1YfMNE+jVKwaGcCIDDTMtdt76R7Xg6KvVag
0xBkAsZH1b2IZYYRvPGR5LVo
-----END CERTIFICATE-----
`,
  },
  {
    alg: "ES256",
    commonName: 'Ünïted, "Söns" + #00 日本',
    notAfter: Date.UTC(2061, 0, 1),
    pem: `-----BEGIN CERTIFICATE-----
MIIBTzCB9qADAgECAhBAgYKDhIWGh4iJiouMjY6PMAoGCCqGSM49BAMCMCkxJzAl
BgNVBAMMHsOcbsOvdGVkLCAiU8O2bnMiICsgIzAwIOaXpeacrDAgFw0yNjAxMDEx
MjM0NTZaGA8yMDYxMDEwMTAwMDAwMFowKTEnMCUGA1UEAwwew5xuw690ZWQsICJT
w7ZucyIgKyAjMDAg5pel5pysMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdV56
063sWeXbLUSCU7ufmdUZY/CmIV9UW3n1AH1VeY783E/kreqvfmgQ+qs5jvsIeILW
bX5rNIsgK1ULCgChIzAKBggqhkjOPQQDAgNIADBFAiEAn8TAV4USQbWP+GFwL94J
i2dDWacMf+1yEs82mCS9TdcCIE04U04i9bJ0vSKLiiXb5Ls4kz+fZt5q6RA1Vz8u
X6oL
-----END CERTIFICATE-----
`,
  },
];
