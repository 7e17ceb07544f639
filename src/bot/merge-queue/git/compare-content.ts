// Compares what a rebase made of a head with the head before it, where git can tell.
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { OpenRepository, Rebase } from './repository.ts'
import { GitError, GitMissing } from './run-git.ts'

/** `unknown`: git cannot tell. Fails closed: consent ends there. */
export type ContentVerdict = 'same' | 'changed' | 'unknown'
export type CompareContent = (project: { id: number; path: string }, rebase: Rebase) => Promise<ContentVerdict>

/** For so long a project whose repository git could not read is not read again: it may be too large. */
const restMs = 10 * 60_000

/** Throws what is no error of git. */
export function createCompareContent({
  openRepository,
  now,
  log,
}: {
  openRepository: OpenRepository
  now: () => number
  log: Logger
}): CompareContent {
  const failed = new LRUCache<number, true>({ max: 500, ttl: restMs, ttlResolution: 0, perf: { now } })
  return async (project, rebase) => {
    if (failed.has(project.id)) return 'unknown'
    try {
      return (await (await openRepository(project)).isSameContent(rebase)) ? 'same' : 'changed'
    } catch (error) {
      if (!(error instanceof GitError || error instanceof GitMissing)) throw error
      failed.set(project.id, true)
      const line = { event: 'rebase_not_compared', project: project.id, ...rebase, reason: error.message }
      log.warn(line, 'git could not compare a rebase: what people approved before it does not count')
      return 'unknown'
    }
  }
}
