// The same work for many projects, some at once: what goes wrong with one does not stop the rest, what goes wrong with all does.
import { ServiceError } from '../../client/errors.ts'
import { remedyFor } from '../explain/connect.ts'
import type { TargetProject } from './targets.ts'

/** What came of one project. */
export interface Outcome {
  /** In a word or three: `made`, `as it should be`, `failed`. */
  result: string
  /** What was done or is wrong, a few words each. */
  details: string[]
  /** It is not as it should be. */
  bad?: true
  hook?: number
}

export interface ProjectOutcome extends Outcome {
  project: number
  path: string
}

interface Work {
  atOnce: number
  onDone: (done: number, all: number) => void
}

/** An outcome for each project, in order, and why the work ended before its time. Throws what is no ServiceError. */
export async function forEachProject(
  projects: readonly TargetProject[],
  task: (project: TargetProject) => Promise<Outcome>,
  { atOnce, onDone }: Work,
): Promise<{ outcomes: ProjectOutcome[]; ended?: ServiceError }> {
  const outcomes: ProjectOutcome[] = projects.map(({ id, path }) => ({ project: id, path, result: 'not tried', details: [], bad: true }))
  let [next, done] = [0, 0]
  let ended: ServiceError | undefined
  async function work(): Promise<void> {
    while (ended === undefined && next < projects.length) {
      const index = next++
      const project = projects[index] as TargetProject
      try {
        outcomes[index] = { project: project.id, path: project.path, ...(await task(project)) }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        outcomes[index] = { project: project.id, path: project.path, result: 'failed', details: [reasonOf(error)], bad: true }
        if (isAboutAll(error)) ended ??= error
      }
      done += 1
      onDone(done, projects.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, projects.length) }, work))
  return { outcomes, ...(ended === undefined ? {} : { ended }) }
}

/** The next project would meet the same. */
function isAboutAll({ kind, status, missingPermission }: ServiceError): boolean {
  return kind === 'unreachable' || kind === 'rate-limited' || (status === 401 && !missingPermission)
}

/** Why a project could not be done, with what to do about it where that is known. */
export function reasonOf(error: ServiceError): string {
  const remedy = remedyFor(error)
  if (remedy !== '') return `${error.message}.${remedy}`
  if (/maximum number/i.test(error.serviceMessage ?? '')) return `${error.message}. Remove a hook that nobody needs.`
  if (error.status === 403) return `${error.message}. Hooks are for Maintainers of the project: make the token’s user one.`
  if (error.status === 404) return `${error.message}. The token’s user cannot see it.`
  return `${error.message}.`
}
