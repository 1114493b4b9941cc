/** The maximum length of a password, in bytes of UTF-8. A longer password cannot be set and matches no hash. */
export const maximumPasswordBytes = 4096;
