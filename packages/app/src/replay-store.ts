/** Remembers the DPoP proofs that were accepted, so that each is accepted once. */
export interface ReplayStore {
  /**
   * Stores the id of a proof. Of several parallel calls with one id, one must return `true`.
   * @param expiresAt milliseconds since 1970. The id is not needed afterwards.
   * @returns `false` if the id is stored already.
   */
  use(id: string, expiresAt: number): Promise<boolean> | boolean;
}

/** Creates a {@link ReplayStore} in the memory of this process. */
export function memoryReplayStore(now: () => number): ReplayStore {
  const used = new Map<string, number>();
  return {
    use(id, expiresAt) {
      const time = now();
      // Ids are stored in the order in which they expire, up to the skew of clocks.
      for (const [known, end] of used) {
        if (end > time) break;
        used.delete(known);
      }
      if (used.has(id)) return false;
      used.set(id, expiresAt);
      return true;
    },
  };
}
