/** Installs a polyfill of `Reflect` metadata that replaces every other, as `@abraham/reflection` and `core-js` do. */
export function installOwnPolyfill(): void {
  const stored = new WeakMap<object, Map<unknown, unknown>>();
  const ownMetadata = (target: object): Map<unknown, unknown> => {
    const existing = stored.get(target) ?? new Map<unknown, unknown>();
    stored.set(target, existing);
    return existing;
  };
  const getMetadata = (key: unknown, target: object): unknown => {
    for (let each: object | null = target; each !== null; each = Object.getPrototypeOf(each) as object | null) {
      if (ownMetadata(each).has(key)) return ownMetadata(each).get(key);
    }
    return undefined;
  };
  const defineMetadata = (key: unknown, value: unknown, target: object): void => {
    ownMetadata(target).set(key, value);
  };
  Object.assign(Reflect, {
    defineMetadata,
    getMetadata,
    getOwnMetadata: (key: unknown, target: object) => ownMetadata(target).get(key),
    hasMetadata: (key: unknown, target: object) => getMetadata(key, target) !== undefined,
    metadata: (key: unknown, value: unknown) => (target: object) => defineMetadata(key, value, target),
  });
}
