// Keeps answers between evaluations: those of one version of a merge request, and projects as they were read last.
import { LRUCache } from 'lru-cache'
import { sourceNamed, sources } from '../../rules/facts/definition/sources.ts'
import { isOfExactVersion } from '../../rules/facts/reading/evaluated-version.ts'
import type { DecideInput, MergeRequestRef, SourceAnswer, SourceName } from '../../rules/types.ts'
import { mergeRequestKey } from './merge-request-job.ts'

export interface KeptAnswers {
  /** The answer, if it is of the version of the merge request that was read. */
  ofVersion(input: DecideInput, name: SourceName): SourceAnswer | undefined
  /** The project as it was read last: it may have changed since. */
  project(mergeRequest: MergeRequestRef): SourceAnswer | undefined
  keep(mergeRequest: MergeRequestRef, name: SourceName, answer: SourceAnswer): void
}

const mostCharacters = 8 * 1024 * 1024
const mostCharactersOfOne = 512 * 1024
const mostProjects = 500

const answerKey = (mergeRequest: MergeRequestRef, name: SourceName) => `${mergeRequestKey(mergeRequest)} ${name}`
const projectKey = ({ service, project }: MergeRequestRef) => mergeRequestKey({ service, project, iid: 0 })

/** Drops the least recently used, and keeps no answer that is too large. */
export function createKeptAnswers(): KeptAnswers {
  const answers = new LRUCache<string, SourceAnswer>({ maxSize: mostCharacters, maxEntrySize: mostCharactersOfOne })
  const projects = new LRUCache<string, SourceAnswer>({ max: mostProjects })
  return {
    ofVersion(input, name) {
      const answer = answers.get(answerKey(input.mergeRequest, name))
      if (answer === undefined) return undefined
      return isOfExactVersion({ answers: { ...input.answers, [name]: answer } }, name) ? answer : undefined
    },
    project: (mergeRequest) => projects.get(projectKey(mergeRequest)),
    keep(mergeRequest, name, answer) {
      if (name === sources.project.name) projects.set(projectKey(mergeRequest), answer.ok ? answer : undefined)
      if (answer.ok && sourceNamed(name)?.version !== undefined)
        answers.set(answerKey(mergeRequest, name), answer, { size: JSON.stringify(answer.body).length })
    },
  }
}
