// A merge by the merge queue: how it enters, what is in effect, and how it leaves.
import type { Memory } from '../../types.ts'
import type { AcceptArgs } from './accept-arguments.ts'
import { acceptMemory, type QueueEntry } from './accept-memory.ts'
import { type ActionInput, type ActionOutcome, blockedBy, oneCall, type PlannedCall } from './action.ts'
import { enterCall, leaveCall, removalNow, sayRemoval } from './merge-queue-calls.ts'
import { LOOK_AGAIN_MS } from './waiting-merge.ts'

/** A merge that waits until one of the other kind has ended is planned again after this time. */
const GIVES_WAY_MS = 1_000

/** Whether the merge in effect is of the requested kind: by the same queue, or waiting without a queue. */
export function keepsKind({ queue }: AcceptArgs, memory: Memory): boolean {
  const { queued, waitingSha } = acceptMemory(memory)
  if (queued !== undefined && queued.queue !== queue) return false
  return waitingSha === undefined || queue === undefined
}

/** The outcome while a merge of the other kind is in effect and has to end first; undefined if there is none. */
export function goesFirst({
  args,
  memory,
}: Pick<ActionInput<AcceptArgs>, 'args' | 'memory'>): ActionOutcome | undefined {
  if (keepsKind(args, memory)) return undefined
  const { queued } = acceptMemory(memory)
  const what =
    queued === undefined ? 'the waiting merge is cancelled first' : `it leaves the merge queue ${queued.queue} first`
  const againInMs = queued === undefined ? LOOK_AGAIN_MS : GIVES_WAY_MS
  return { result: 'waits', detail: what, againInMs, handedOver: true }
}

const same = (one: QueueEntry, other: QueueEntry) =>
  (['queue', 'target', 'sha', 'priority', 'frozen', 'frozenUntil', 'squash', 'remove_source_branch'] as const).every(
    (key) => one[key] === other[key],
  )

type QueuedMergeInput = Pick<
  ActionInput<AcceptArgs, 'head'>,
  'args' | 'facts' | 'mr' | 'memory' | 'queue' | 'queueEntry'
>

/** Enters the merge queue, or replaces an entry that differs. */
export function planQueued({ args, facts, mr, memory, queue, queueEntry }: QueuedMergeInput): ActionOutcome {
  if (queue === undefined) return blockedBy('the merge queue of its target branch is unknown')
  const { squash, remove_source_branch } = args
  const { name, target, priority, frozen, frozenUntil } = queue
  const entry: QueueEntry = {
    queue: name,
    target,
    sha: facts.head,
    priority,
    frozen,
    ...(frozenUntil === undefined ? {} : { frozenUntil }),
    ...(squash === undefined ? {} : { squash }),
    ...(remove_source_branch === undefined ? {} : { remove_source_branch }),
  }
  const { queued } = acceptMemory(memory)
  if (queued !== undefined && same(queued, entry) && queueEntry?.lost !== true)
    return {
      result: 'waits',
      detail: sayEntry(entry, queueEntry),
      handedOver: true,
      queue: name,
      waitsFor: frozen ? 'freeze' : 'queue',
    }
  const changes = queued !== undefined && queued.sha === entry.sha && queued.target === entry.target
  const call = enterCall(mr, entry)
  if (changes) return { ...oneCall(`update its entry in the merge queue ${name}`, call), changesEntry: true }
  return oneCall(`add ${facts.head.slice(0, 8)} to the merge queue ${name}`, call)
}

function sayEntry({ queue, frozen }: QueueEntry, entry: QueuedMergeInput['queueEntry']): string {
  const { progress } = entry ?? {}
  // The progress ends with a full stop, and a detail has none.
  const place = progress === undefined ? (frozen ? ', frozen' : '') : `: ${progress.replace(/\.$/, '')}`
  return `in the merge queue ${queue}${place}`
}

/** The call that leaves the merge queue; undefined if it is in none. */
export function leaveQueue(
  input: Pick<ActionInput, 'memory' | 'mr' | 'queueEntry'>,
): { detail: string; call: PlannedCall } | undefined {
  const { queued } = acceptMemory(input.memory)
  if (queued === undefined) return undefined
  const removal = removalNow(input)
  const why = removal === undefined ? '' : `: ${sayRemoval(removal)}`
  const call = { call: leaveCall(input.mr), effects: [], memo: removal && { ...removal } }
  return { detail: `leave the merge queue ${queued.queue}${why}`, call }
}
