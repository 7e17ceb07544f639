// Keeps answers between evaluations: those of one version of a merge request, projects as they were read last, and for
// some minutes who is in a group and what its people do.
import { LRUCache } from 'lru-cache'
import { readCall } from '../../rules/facts/definition/source.ts'
import { instanceOf, sourceNamed, sources } from '../../rules/facts/definition/sources.ts'
import { isOfExactVersion } from '../../rules/facts/reading/evaluated-version.ts'
import type { MergeRequestRef, SourceAnswer, SourceName } from '../../rules/types.ts'
import { mergeRequestKey } from '../merge-request-job.ts'
import type { AnswersOf } from './answers-of.ts'

export interface KeptAnswers {
  /** The answer, if it is of the version of the merge request that was read. */
  ofVersion(input: AnswersOf, name: SourceName): SourceAnswer | undefined
  /** The project as it was read last: it may have changed since. */
  project(mergeRequest: MergeRequestRef): SourceAnswer | undefined
  /** An answer to the same call for any merge request, not older than its source allows. */
  recent(input: AnswersOf, name: SourceName): SourceAnswer | undefined
  keepRecent(input: AnswersOf, name: SourceName, answer: SourceAnswer): void
  keep(mergeRequest: MergeRequestRef, name: SourceName, answer: SourceAnswer): void
}

const mostCharacters = 8 * 1024 * 1024
const mostCharactersOfOne = 512 * 1024
// The 2,000 members that are read of a large group.
const mostCharactersOfGroup = 2 * 1024 * 1024
const mostProjects = 500
const charactersOfRefusal = 200

const answerKey = (mergeRequest: MergeRequestRef, name: SourceName) => `${mergeRequestKey(mergeRequest)} ${name}`
const projectKey = ({ project }: MergeRequestRef) => mergeRequestKey({ project, iid: 0 })

/** The call that reads a source which is kept for some time; undefined for other sources. */
function recentKey({ mergeRequest, answers }: AnswersOf, name: SourceName): string | undefined {
  const source = sourceNamed(name)
  if (source?.keptForMs === undefined) return undefined
  const call = readCall(source, mergeRequest, answers, instanceOf(name))
  return call === null ? undefined : JSON.stringify([call.endpoint, call.params])
}

/** Drops the least recently used, and keeps no answer that is too large. */
export function createKeptAnswers(now?: () => number): KeptAnswers {
  const answers = new LRUCache<string, SourceAnswer>({ maxSize: mostCharacters, maxEntrySize: mostCharactersOfOne })
  const projects = new LRUCache<string, SourceAnswer>({ max: mostProjects })
  const recent = new LRUCache<string, SourceAnswer>({
    maxSize: mostCharacters,
    maxEntrySize: mostCharactersOfGroup,
    ttlResolution: 0,
    ...(now === undefined ? {} : { perf: { now } }),
  })
  return {
    ofVersion(input, name) {
      const answer = answers.get(answerKey(input.mergeRequest, name))
      if (answer === undefined) return undefined
      return isOfExactVersion({ answers: { ...input.answers, [name]: answer } }, name) ? answer : undefined
    },
    project: (mergeRequest) => projects.get(projectKey(mergeRequest)),
    recent(input, name) {
      const key = recentKey(input, name)
      return key === undefined ? undefined : recent.get(key)
    },
    keepRecent(input, name, answer) {
      const key = recentKey(input, name)
      // What is refused is not asked again at once either.
      const size = answer.ok ? JSON.stringify(answer.body).length : charactersOfRefusal
      if (key !== undefined) recent.set(key, answer, { size, ttl: sourceNamed(name)?.keptForMs ?? 1 })
    },
    keep(mergeRequest, name, answer) {
      if (name === sources.project.name) projects.set(projectKey(mergeRequest), answer.ok ? answer : undefined)
      if (answer.ok && sourceNamed(name)?.version !== undefined)
        answers.set(answerKey(mergeRequest, name), answer, { size: JSON.stringify(answer.body).length })
    },
  }
}
