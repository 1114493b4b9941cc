/** A copy of a role, or the role that it is to be a copy of. */
interface Named {
  readonly name: string;
}

/**
 * What each copy of a role is to be called, by the role's id. A name that the tenant uses for a role of its own stays with that one: a copy that is there already keeps the
 * name that it has, since people have the role by it, and a new one is left out. So is a name that such a copy keeps.
 */
export function roleNames(
  roles: readonly (Named & { readonly id: string })[],
  copies: ReadonlyMap<string, Named>,
  own: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(own);
  let open = roles;
  for (;;) {
    const blocked = open.filter(({ name }) => taken.has(name));
    if (blocked.length === 0) break;
    open = open.filter((role) => !blocked.includes(role));
    for (const { id } of blocked) {
      const kept = copies.get(id)?.name;
      if (kept === undefined) continue;
      names.set(id, kept);
      taken.add(kept);
    }
  }
  for (const { id, name } of open) names.set(id, name);
  return names;
}
