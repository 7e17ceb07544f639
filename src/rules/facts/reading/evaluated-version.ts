// Compares the version of an answer with the evaluated one: head, target branch and base.

import type { DecideInput, SourceName } from '../../types.ts'
import { bodyOf, type ShownVersion, versionOf } from '../definition/source.ts'
import { mergeRequestSource, sourceNamed, sources } from '../definition/sources.ts'

/** The delay before the next evaluation after an answer of another version. */
export const readAgainInMs = 2000

/** Why an answer does not count; `readAgain`: the answer may be another one by now. */
interface OtherVersion {
  reason: string
  readAgain: boolean
}

const again = (what: string): OtherVersion => ({
  reason: `it is of ${what} than the merge request: both are read again`,
  readAgain: true,
})

const unsaid: OtherVersion = { reason: 'the hosting service does not say of which version it is', readAgain: false }

/** Why the answer does not count; undefined if it is of the evaluated version. Fails closed without a version. */
export function otherVersion(shown: ShownVersion, evaluated: ShownVersion): OtherVersion | undefined {
  if (typeof evaluated.head !== 'string') return { reason: 'the merge request has no head commit', readAgain: false }
  if (typeof shown.head !== 'string') return unsaid
  if (shown.head !== evaluated.head) return again('another head commit')
  // A list of commits shows no target branch.
  if ('target' in shown && shown.target !== evaluated.target)
    return typeof shown.target === 'string' ? again('another target branch') : unsaid
  const [own = {}, others = {}] = [shown.refs, evaluated.refs]
  // A commit differs only if both sides name it.
  const differs = Object.entries(own).some(
    ([name, sha]) => typeof sha === 'string' && typeof others[name] === 'string' && others[name] !== sha,
  )
  return differs ? again('another base commit') : undefined
}

/** The answers that are of another version than the merge request: it was pushed or retargeted between two reads. */
export function answersOfOtherVersions({ answers }: Pick<DecideInput, 'answers'>): SourceName[] {
  const mergeRequest = bodyOf(sources.mergeRequest, answers[mergeRequestSource])
  if (mergeRequest === undefined) return []
  return Object.entries(answers).flatMap(([name, answer]) => {
    const source = sourceNamed(name)
    const body = source?.version === undefined ? undefined : bodyOf(source, answer)
    if (source?.version === undefined || body === undefined) return []
    return otherVersion(source.version(body), versionOf(mergeRequest))?.readAgain === true ? [name] : []
  })
}

/** The commits and the target branch of a version; undefined if some are missing, or they belong to two versions. */
function exactVersion({ head, target, refs = {} }: ShownVersion): string | undefined {
  const parts = [head, target, refs.base_sha, refs.start_sha]
  // After a push, the service names the new head before the references.
  if (refs.head_sha !== head) return undefined
  return parts.every((part) => typeof part === 'string') ? JSON.stringify(parts) : undefined
}

/** Whether an answer can change only together with the version of the merge request that was read. */
export function isOfExactVersion({ answers }: Pick<DecideInput, 'answers'>, name: SourceName): boolean {
  const source = sourceNamed(name)
  const mergeRequest = bodyOf(sources.mergeRequest, answers[mergeRequestSource])
  const body = source?.version === undefined ? undefined : bodyOf(source, answers[name])
  if (source?.version === undefined || body === undefined || mergeRequest === undefined) return false
  const version = exactVersion(source.version(body))
  return version !== undefined && version === exactVersion(versionOf(mergeRequest))
}
