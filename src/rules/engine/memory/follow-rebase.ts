// Approvals and requests when Bellhop had a head rebased: they follow to the same content, and to no other.
import { acceptMemory } from '../../actions/definition/accept-memory.ts'
import { rebases } from '../../actions/rebase.ts'
import { isOwn } from '../../facts/definition/access.ts'
import { pushesBetween } from '../../facts/definition/push-history.ts'
import { queueFor } from '../../language/target-queue.ts'
import type { DecideInput, Memory } from '../../types.ts'

type RebaseInput = Pick<DecideInput, 'memory' | 'bot' | 'files'>

/** The head that was evaluated before, if it is another one now and Bellhop may have had it rebased since. */
export function rebasedFrom({ memory, bot, files }: RebaseInput, head: string): string | undefined {
  const from = memory.evaluated?.head
  if (from === undefined || from === head) return undefined
  const pushes = pushesBetween(from, head, memory.pushes)
  // Fails closed: a push that Bellhop has not seen may be its own rebase.
  const isOfBellhop =
    pushes === undefined ? mayBeRebased({ memory, files }) : pushes.some((push) => isOwnPush(push, bot))
  return isOfBellhop ? from : undefined
}

/** The memory once head and target are known. `isSame`: a head that may be rebased has the previous head's content. */
export function followHead(given: RebaseInput, head: string, target: string | undefined, isSame: boolean): Memory {
  const { memory } = given
  const isRebased = mayBeRebased(given)
  const evaluated: Memory['evaluated'] = { head, target, mayBeRebased: isRebased ? true : undefined }
  const from = rebasedFrom(given, head)
  // After a change of the target, the rebased head has content of the old target.
  const isRetargeted = isRebased && memory.evaluated !== undefined && memory.evaluated.target !== target
  if (isRetargeted || (from !== undefined && !isSame)) return { ...memory, evaluated, oldApprovals: {} }
  return from === undefined ? { ...memory, evaluated } : { ...followRequests(given, from, head), evaluated }
}

/** Whether memory of rebases decides about existing approvals, so that it must not be forgotten. */
export const remembersRebase = (memory: Memory): boolean =>
  memory.oldApprovals !== undefined || rebases.of(memory) !== undefined || memory.evaluated?.mayBeRebased === true

const isOwnPush = ({ by }: Memory['pushes'][number], bot: DecideInput['bot']) => isOwn({ actor: by }, bot)

const mayBeRebased = ({ memory, files }: Pick<RebaseInput, 'memory' | 'files'>): boolean =>
  remembersRebase(memory) ||
  rebases.of(memory.pending?.ifDone ?? {}) !== undefined ||
  isQueuedToRebase({ memory, files })

function isQueuedToRebase({ memory, files }: Pick<RebaseInput, 'memory' | 'files'>): boolean {
  const { queued } = acceptMemory(memory)
  return queued !== undefined && queueFor(files, queued.target)?.queue.test === 'rebase'
}

/** Requests for a queue that rebases follow to the new head, if nobody else pushed. */
function followRequests(given: RebaseInput, from: string, head: string): Memory {
  const { memory, bot } = given
  const { standing, pushes } = memory
  if (standing === undefined || acceptMemory(memory).queued?.sha !== from || !isQueuedToRebase(given)) return memory
  if (pushesBetween(from, head, pushes)?.every((push) => isOwnPush(push, bot)) !== true) return memory
  const followed = standing.map((request) => {
    if (request.head !== from) return request
    const { occurrence } = request
    return { ...request, head, occurrence: { ...occurrence, event: { ...occurrence.event, head } } }
  })
  return { ...memory, standing: followed }
}
