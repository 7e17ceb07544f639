// Runs a task for many projects in parallel: an error of one project does not stop the others, an outage does.
import pLimit from 'p-limit'
import { ServiceError } from '../../client/errors.ts'
import { remedyFor } from '../services/connect.ts'
import type { TargetProject } from './targets.ts'

/** The result for one project. */
export interface HookOutcome {
  /** A code such as `installed`, `up_to_date`, `failed`. */
  result: string
  details: string[]
  /** The hook needs attention. */
  bad?: true
  hook?: number
}

export interface ProjectOutcome extends HookOutcome {
  project: number
  path: string
}

interface Work {
  atOnce: number
  onDone: (done: number, all: number) => void
}

/** An outcome for each project, in order, and the error that ended the work early. Throws what is no ServiceError. */
export async function forEachProject(
  projects: readonly TargetProject[],
  task: (project: TargetProject) => Promise<HookOutcome>,
  { atOnce, onDone }: Work,
): Promise<{ outcomes: ProjectOutcome[]; ended?: ServiceError }> {
  const limit = pLimit(atOnce)
  let done = 0
  let ended: ServiceError | undefined
  const work = async (project: TargetProject): Promise<HookOutcome> => {
    if (ended !== undefined) return { result: 'not_tried', details: [], bad: true }
    try {
      return await task(project)
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        limit.clearQueue()
        throw error
      }
      if (isAboutAll(error)) ended ??= error
      return { result: 'failed', details: [reasonOf(error)], bad: true }
    } finally {
      done += 1
      onDone(done, projects.length)
    }
  }
  const outcomes = await Promise.all(
    projects.map(({ id, path }) => limit(async () => ({ project: id, path, ...(await work({ id, path })) }))),
  )
  return { outcomes, ...(ended === undefined ? {} : { ended }) }
}

/** The next project would fail alike. */
function isAboutAll({ kind, status, missingPermission }: ServiceError): boolean {
  return kind === 'unreachable' || kind === 'rate_limited' || (status === 401 && !missingPermission)
}

/** The error, and what to do about it where known. */
export function reasonOf(error: ServiceError): string {
  const remedy = remedyFor(error)
  if (remedy !== '') return `${error.message}.${remedy}`
  if (/maximum number/i.test(error.serviceMessage ?? '')) return `${error.message}. Remove an unused hook.`
  if (error.status === 403) return `${error.message}. Hooks are for Maintainers: make the token’s user Maintainer.`
  if (error.status === 404) return `${error.message}. The token’s user cannot see it.`
  return `${error.message}.`
}
