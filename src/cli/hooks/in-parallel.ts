// Runs a task for many projects in parallel: an error of one project does not stop the others, an outage does.
import pLimit from 'p-limit'
import { ServiceError } from '../../client/errors.ts'
import { remedyFor } from '../service/connect.ts'
import type { HookTarget } from './targets.ts'

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
  /** The number, for a project or a group. */
  project?: number
  group?: number
  path: string
}

interface Work {
  atOnce: number
  onDone: (done: number, all: number) => void
}

/** An outcome for each project, in order, and the error that ended the work early. Throws what is no ServiceError. */
export async function forEachProject(
  projects: readonly HookTarget[],
  task: (project: HookTarget) => Promise<HookOutcome>,
  { atOnce, onDone }: Work,
): Promise<{ outcomes: ProjectOutcome[]; ended?: ServiceError }> {
  const limit = pLimit(atOnce)
  let done = 0
  let ended: ServiceError | undefined
  const work = async (project: HookTarget): Promise<HookOutcome> => {
    if (ended !== undefined) return { result: 'not_tried', details: [], bad: true }
    try {
      return await task(project)
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        limit.clearQueue()
        throw error
      }
      if (isAboutAll(error)) ended ??= error
      return { result: 'failed', details: [reasonOf(error, project.of)], bad: true }
    } finally {
      done += 1
      onDone(done, projects.length)
    }
  }
  const outcomes = await Promise.all(
    projects.map((each) => limit(async () => ({ ...nameOf(each), ...(await work(each)) }))),
  )
  return { outcomes, ended }
}

const nameOf = ({ id, path, of }: HookTarget) =>
  of === undefined ? { project: id, path } : of === 'group' ? { group: id, path } : { path }

/** Whether the next project would fail in the same way. */
function isAboutAll({ kind, status, missingPermission }: ServiceError): boolean {
  return kind === 'unreachable' || kind === 'rate_limited' || (status === 401 && !missingPermission)
}

/** The error, and what to do about it if known. */
export function reasonOf(error: ServiceError, of?: HookTarget['of']): string {
  const remedy = remedyFor(error)
  if (remedy !== '') return `${error.message}.${remedy}`
  if (/maximum number/i.test(error.serviceMessage ?? '')) return `${error.message}. Remove an unused hook.`
  const isRefused = error.status === 403 || error.status === 404
  if (of === 'group' && isRefused)
    return `${error.message}. Group hooks need the service’s Premium tier, and a token of an owner of the group.`
  if (of === 'system' && isRefused) return `${error.message}. System hooks need a token of an administrator.`
  if (error.status === 403) return `${error.message}. Hooks are for Maintainers: make the token’s user Maintainer.`
  if (error.status === 404) return `${error.message}. The token’s user cannot see it.`
  return `${error.message}.`
}
