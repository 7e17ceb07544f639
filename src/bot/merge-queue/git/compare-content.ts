// Compares what a rebase made of a head with the head before it, if git can tell.
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { CompareContent } from '../../evaluation/branch-history.ts'
import type { OpenRepository } from './repository.ts'
import { GitError } from './run-git.ts'

/** For so long a repository whose target git took too long for, or is too large, is not fetched again. */
const restMs = 10 * 60_000

export function createCompareContent({
  openRepository,
  now,
  log,
}: {
  openRepository: OpenRepository
  now: () => number
  log: Logger
}): CompareContent {
  const resting = new LRUCache<number, true>({ max: 500, ttl: restMs, ttlResolution: 0, perf: { now } })
  return async (project, rebase) => {
    if (resting.has(project.id)) return 'unknown'
    try {
      return (await (await openRepository(project)).isSameContent(rebase)) ? 'same' : 'changed'
    } catch (err) {
      // Also if git is missing, or its folder cannot be written.
      if (err instanceof GitError && (err.code === 'too_large' || err.code === 'timed_out'))
        resting.set(project.id, true)
      const line = { event: 'rebase_not_compared', project: project.id, ...rebase, err }
      log.warn(line, 'git could not compare a rebase: what people approved before it does not count')
      return 'unknown'
    }
  }
}
