// What was read of a merge request, and the answers that are cached between evaluations.
import { LRUCache } from 'lru-cache'
import { readCall } from '../../rules/facts/definition/source.ts'
import { instanceOf, mergeRequestSource, sourceNamed, sources } from '../../rules/facts/definition/sources.ts'
import { isOfExactVersion } from '../../rules/facts/reading/fact-view.ts'
import type { DecideInput, MergeRequestRef, SourceAnswer, SourceName } from '../../rules/types.ts'
import { mergeRequestKey } from '../queues.ts'

/** A merge request, and what was read of it. */
export type AnswersOf = Pick<DecideInput, 'mergeRequest' | 'answers'>

/** The merge request as read; empty if it was not. */
export function mergeRequestIn({ answers }: Pick<DecideInput, 'answers'>): Record<string, unknown> {
  const answer = answers[mergeRequestSource]
  return answer?.ok === true && typeof answer.body === 'object' && answer.body !== null ? { ...answer.body } : {}
}

export type AnswerCache = ReturnType<typeof createAnswerCache>

const mostCharacters = 8 * 1024 * 1024
const mostCharactersOfOne = 512 * 1024
// The 2,000 members that are read of a large group.
const mostCharactersOfGroup = 2 * 1024 * 1024
const mostProjects = 500
const charactersOfRefusal = 200

const answerKey = ({ mergeRequest }: AnswersOf, name: SourceName) => `${mergeRequestKey(mergeRequest)} ${name}`

/** The call that reads a source whose answers count for some time; undefined for other sources. */
function recentKey({ mergeRequest, answers }: AnswersOf, name: SourceName): string | undefined {
  const source = sourceNamed(name)
  if (source?.cachedForMs === undefined) return undefined
  const call = readCall(source, mergeRequest, answers, instanceOf(name))
  // Git compares for the target branch, which the call does not name.
  const target = source.comparedByGit === true ? mergeRequestIn({ answers }).target_branch : null
  return call === null ? undefined : JSON.stringify([call.endpoint, call.params, target])
}

/** Drops the least recently used, and no answer that is too large gets in. */
export function createAnswerCache(now?: () => number) {
  const ofVersions = new LRUCache<string, SourceAnswer>({ maxSize: mostCharacters, maxEntrySize: mostCharactersOfOne })
  const projects = new LRUCache<number, SourceAnswer>({ max: mostProjects })
  const recent = new LRUCache<string, SourceAnswer>({
    maxSize: mostCharacters,
    maxEntrySize: mostCharactersOfGroup,
    ttlResolution: 0,
    ...(now === undefined ? {} : { perf: { now } }),
  })
  const storeProject = (project: number, answer: SourceAnswer) =>
    void projects.set(project, answer.ok ? answer : undefined)
  return {
    /**
     * The answer, if it is of the version of the merge request that was read, or to the same call for any merge request
     * and not older than its source allows.
     */
    find(input: AnswersOf, name: SourceName): SourceAnswer | undefined {
      const answer = ofVersions.get(answerKey(input, name))
      const isOfVersion = answer && isOfExactVersion({ answers: { ...input.answers, [name]: answer } }, name)
      if (isOfVersion) return answer
      const key = recentKey(input, name)
      return key === undefined ? undefined : recent.get(key)
    },
    /** The project as it was read last: it may have changed since. */
    project: ({ project }: Pick<MergeRequestRef, 'project'>): SourceAnswer | undefined => projects.get(project),
    storeProject,
    store(input: AnswersOf, name: SourceName, answer: SourceAnswer): void {
      if (name === sources.project.name) storeProject(input.mergeRequest.project, answer)
      const size = answer.ok ? JSON.stringify(answer.body).length : charactersOfRefusal
      if (answer.ok && sourceNamed(name)?.version !== undefined)
        ofVersions.set(answerKey(input, name), answer, { size })
      const key = recentKey(input, name)
      // What is refused is not asked again at once either.
      if (key !== undefined) recent.set(key, answer, { size, ttl: sourceNamed(name)?.cachedForMs ?? 1 })
    },
  }
}
