// rebase: put the source branch on top of the target, and follow it to its end.
import { callData } from '../../api/call-data.ts'
import { isOwn } from '../facts/definition/access.ts'
import { factsIn } from '../language/conditions.ts'
import { described, fields, isMap, type Shape, whole } from '../language/values/shapes.ts'
import { count, oneLine } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import { type ActionOutcome, action, actionMemory, nothingToDo, oneCall } from './definition/action.ts'

/** The delay before the merge request is read again while the service rebases it. */
const AGAIN_IN_MS = 2000
const LONGEST_REASON = 300
const HOUR_MS = 60 * 60_000
/** Each rebase costs a pipeline. The limits are below those of the loop guard, which would pause every rule. */
const MOST_PER_HOUR = 4
const MOST_PER_DAY = 16

interface RebaseMemory {
  /** The head whose rebase Bellhop started, and why it failed; absent once it has succeeded. */
  started?: { head: string; failed?: string }
  /** When Bellhop rebased it within the last day (ISO 8601), oldest first. */
  rebased: string[]
}
export const rebases = actionMemory<RebaseMemory>('rebase')

const options = fields({
  most_per_hour: described(
    `How often it is rebased within an hour at most: 1 to ${MOST_PER_HOUR}, which is the default.`,
    whole(1, MOST_PER_HOUR),
  ),
})
type RebaseArgs = NonNullable<ReturnType<typeof options.read>>

/** `true` means: with the defaults. */
const args: Shape<RebaseArgs> = {
  expected: `true or ${options.expected}`,
  schema: (context) => ({ anyOf: [{ const: true }, options.schema(context)] }),
  read: (value, path, issues) => (value === true ? {} : options.read(value, path, issues)),
}

/** Why it is not rebased now, and for how long; undefined if it may be. */
function tooOften({ most_per_hour = MOST_PER_HOUR }: RebaseArgs, memory: Memory, now: string) {
  const limits = [
    { most: most_per_hour, within: 'an hour', ms: HOUR_MS },
    { most: MOST_PER_DAY, within: 'a day', ms: 24 * HOUR_MS },
  ]
  for (const { most, within, ms } of limits) {
    const oldest = rebases.of(memory)?.rebased.at(-most)
    const leftMs = oldest === undefined ? 0 : Date.parse(oldest) + ms - Date.parse(now)
    if (leftMs > 0) return { detail: `it was rebased ${count(most, 'time')} within ${within}`, againInMs: leftMs }
  }
  return undefined
}

/** Why the last rebase failed: the service clears it when one succeeds, and at a push. */
function failureIn(mergeRequest: unknown): string | undefined {
  const text =
    isMap(mergeRequest) && typeof mergeRequest.merge_error === 'string' ? mergeRequest.merge_error.trim() : ''
  return text === '' ? undefined : oneLine(text, LONGEST_REASON)
}

const isRunning = (mergeRequest: unknown) => isMap(mergeRequest) && mergeRequest.rebase_in_progress === true

export default action({
  name: 'rebase',
  doc: 'Rebase the source branch onto the target, once while the rule matches; a rule with a condition on `commits_behind` does it each time that the branch falls behind. The service does it in the background; one that fails is repeated after the next push. It costs a new pipeline, and what Bellhop approved is approved again for the new head. GitLab keeps people’s approvals when it rebases itself: they count where git, on the worker, finds the same content as before. A rebase drops merge commits; where that changes something, or git cannot compare, people revoke their approvals and give them again.',
  example: 'rebase: true',
  args,
  needs: ['state', 'head'],
  when: 'followed',
  calls({ args: asked, facts: { state, head }, mr, body, memory, bot, doneBefore, conditions, now }): ActionOutcome {
    const { started } = rebases.of(memory) ?? {}
    const { pushes } = memory
    if (state !== 'opened') return nothingToDo(`it is ${state}`)
    const mergeRequest = body('mergeRequest')
    if (isRunning(mergeRequest))
      return { result: 'waits', detail: 'the service is rebasing it', againInMs: AGAIN_IN_MS }
    const rebase = (detail: string): ActionOutcome => {
      const limit = tooOften(asked, memory, now)
      if (limit !== undefined) return { result: 'waits', ...limit }
      return oneCall(detail, callData('mergeRequests.rebase', mr), { before: head })
    }
    if (!doneBefore) return rebase('rebase')
    // The target may have moved again while the service rebased.
    const divergence = factsIn(conditions).includes('commits_behind') ? body('divergence') : undefined
    const fellBehind = isMap(divergence) && Number(divergence.diverged_commits_count) > 0
    if (started === undefined) {
      if (fellBehind) return rebase('rebase again: the target branch moved since')
      return { result: 'done_before', detail: 'done when the rule became true' }
    }
    const pusher = started.head === head ? undefined : pushes.findLast(({ to }) => to === head)?.by
    if (pusher !== undefined && !isOwn({ actor: pusher }, bot)) return rebase('rebase again: the head was pushed since')
    const failed = started.failed ?? failureIn(mergeRequest)
    if (failed === undefined && fellBehind && started.head !== head)
      return rebase('rebase again: the target branch moved since')
    if (failed === undefined) return { result: 'nothing_to_do', detail: 'it is rebased', noticed: null }
    if (started.head !== head) return rebase('rebase again: the last rebase failed for another head')
    return { result: 'blocked', detail: `the rebase failed: ${failed}`, noticed: { head, failed } }
  },
  reconcile: ({ before }, { fact, body }) =>
    fact('head') === before && !isRunning(body('mergeRequest')) ? 'not_done' : 'done',
  remember(memory, { before }, certain, at) {
    const recent = (rebases.of(memory)?.rebased ?? []).filter(
      (each) => Date.parse(at) - Date.parse(each) < 24 * HOUR_MS,
    )
    const rebased = [...recent, at].slice(-MOST_PER_DAY)
    return certain && typeof before === 'string' ? rebases.put(memory, { started: { head: before }, rebased }) : memory
  },
  notice(memory, noticed) {
    const before = rebases.of(memory)
    if (before === undefined) return memory
    const { rebased } = before
    if (!isMap(noticed) || typeof noticed.head !== 'string' || typeof noticed.failed !== 'string')
      return rebases.put(memory, { rebased })
    return rebases.put(memory, { started: { head: noticed.head, failed: noticed.failed }, rebased })
  },
})
