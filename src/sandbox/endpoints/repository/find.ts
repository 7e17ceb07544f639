// Finds commits and names for the repository endpoints.
import { resolveCommit } from '../../git/refs.ts'
import { notFound } from '../../http/error-response.ts'
import type { Project } from '../../records/records.ts'
import type { World } from '../../storage/world.ts'

/** The commit that a branch, a tag or a sha names. */
export async function findCommit(world: World, project: Project, name: string): Promise<string> {
  const sha = await resolveCommit(world, project.id, name)
  if (sha === undefined) throw notFound('Commit')
  return sha
}

/** `part` anywhere, `^part` at the start, `part$` at the end, ignoring case, as in GitLab. */
export function nameMatches(search = ''): (name: string) => boolean {
  const wanted = search.toLowerCase()
  if (wanted.length > 1 && wanted.startsWith('^')) return (name) => name.toLowerCase().startsWith(wanted.slice(1))
  if (wanted.length > 1 && wanted.endsWith('$')) return (name) => name.toLowerCase().endsWith(wanted.slice(0, -1))
  return (name) => name.toLowerCase().includes(wanted)
}
