// rebase: put the source branch on top of the target, and follow it to its end (DESIGN §4; hosting-service.md §3.3).
import { callData } from '../../api/call-data.ts'
import { isOwn } from '../facts/definition/bot-user.ts'
import { isMap } from '../language/values/shapes.ts'
import { cut } from '../language/values/wording.ts'
import { type ActionOutcome, actionWithoutArgs, nothingToDo } from './definition/action.ts'

/** The delay before the merge request is read again while the service rebases it. */
const AGAIN_IN_MS = 2000
const LONGEST_REASON = 300

/** Why the last rebase failed: the service clears it when one succeeds, and at a push. */
function failureIn(mergeRequest: unknown): string | undefined {
  const text =
    isMap(mergeRequest) && typeof mergeRequest.merge_error === 'string' ? mergeRequest.merge_error.trim() : ''
  return text === '' ? undefined : cut(text.replaceAll(/[\s\p{C}]+/gu, ' '), LONGEST_REASON)
}

const isRunning = (mergeRequest: unknown) => isMap(mergeRequest) && mergeRequest.rebase_in_progress === true

export default actionWithoutArgs({
  name: 'rebase',
  doc: 'Rebase the source branch onto the target, once while the rule matches. The service does it in the background; one that fails is repeated after the next push.',
  needs: ['state', 'head'],
  oneWay: true,
  inBackground: true,
  reads: () => ['mergeRequest'],
  calls({ facts: { state, head }, mr, body, memory: { rebase: started, pushes }, bot, doneBefore }): ActionOutcome {
    if (state !== 'opened') return nothingToDo(`it is ${state}`)
    const mergeRequest = body('mergeRequest')
    if (isRunning(mergeRequest))
      return { result: 'waits', detail: 'the service is rebasing it', againInMs: AGAIN_IN_MS }
    const rebase = (detail: string): ActionOutcome => ({
      result: 'call',
      detail,
      calls: [{ call: callData('mergeRequests.rebase', mr), before: head }],
    })
    if (!doneBefore) return rebase('rebase')
    if (started === undefined) return { result: 'done_before', detail: 'done when the rule became true' }
    const pusher = started.head === head ? undefined : pushes.findLast(({ to }) => to === head)?.by
    if (pusher !== undefined && !isOwn({ actor: pusher }, bot)) return rebase('rebase again: the head was pushed since')
    const failed = started.failed ?? failureIn(mergeRequest)
    if (failed === undefined) return { result: 'nothing_to_do', detail: 'it is rebased', noted: null }
    if (started.head !== head) return rebase('rebase again: the last rebase failed for another head')
    return { result: 'blocked', detail: `the rebase failed: ${failed}`, noted: { head, failed } }
  },
  reconcile: {
    needs: () => ['head'],
    reads: ['mergeRequest'],
    outcome: ({ before }, { fact, body }) =>
      fact('head') === before && !isRunning(body('mergeRequest')) ? 'not_done' : 'done',
  },
  remember: (memory, { before }, certain) =>
    certain && typeof before === 'string' ? { ...memory, rebase: { head: before } } : memory,
  notice({ rebase: _ended, ...memory }, noted) {
    if (!isMap(noted) || typeof noted.head !== 'string' || typeof noted.failed !== 'string') return memory
    return { ...memory, rebase: { head: noted.head, failed: noted.failed } }
  },
})
