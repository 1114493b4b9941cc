const kept = new Map();
const recent = new Map();
let isPrepared = false;

/** Ends the preparation: what is stored later may be removed again. */
export function endPreparation() {
  isPrepared = true;
}

/**
 * Storage of oidc-provider in memory. oidc-provider's own one has room for 1000 entries, and would remove the tokens
 * that the benchmark prepared. This one has the same room for what is stored during the load.
 */
export class MemoryAdapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload) {
    const key = `${this.model}:${id}`;
    if (!isPrepared || kept.has(key)) kept.set(key, payload);
    else recent.set(key, payload);
    if (payload.uid !== undefined) recent.set(`uid:${payload.uid}`, payload);
    while (recent.size > 1000) recent.delete(recent.keys().next().value);
  }

  async find(id) {
    return kept.get(`${this.model}:${id}`) ?? recent.get(`${this.model}:${id}`);
  }

  async findByUid(uid) {
    return recent.get(`uid:${uid}`);
  }

  async consume(id) {
    const payload = await this.find(id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    kept.delete(`${this.model}:${id}`);
    recent.delete(`${this.model}:${id}`);
  }

  async revokeByGrantId() {
    throw new Error("the benchmark revokes no grant");
  }
}
