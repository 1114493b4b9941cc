/**
 * Returns the name that a connection or an organization gets while its deletion continues after the response. The
 * original name is then free for a new resource. API requests cannot set such a name.
 */
export function deletedName(id: string): string {
  return `deleted:${id}`;
}
