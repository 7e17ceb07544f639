// How branches and tags are searched for by name.

/** `part` anywhere, `^part` at the start, `part$` at the end, as on real installations; in any case of letters. */
export function nameMatches(search = ''): (name: string) => boolean {
  const wanted = search.toLowerCase()
  if (wanted.length > 1 && wanted.startsWith('^')) return (name) => name.toLowerCase().startsWith(wanted.slice(1))
  if (wanted.length > 1 && wanted.endsWith('$')) return (name) => name.toLowerCase().endsWith(wanted.slice(0, -1))
  return (name) => name.toLowerCase().includes(wanted)
}
