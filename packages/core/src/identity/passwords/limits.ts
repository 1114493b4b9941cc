/** The longest password, in bytes of UTF-8. Longer ones cannot be set and match nothing. */
export const maximumPasswordBytes = 4096;
