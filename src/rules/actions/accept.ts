// accept: merge the evaluated head, and no other.
import { type CallData, callData } from '../../api/call-data.ts'
import { type FactName, factNamed } from '../facts/index.ts'
import { causeOf } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import {
  type AcceptArgs,
  acceptArgs,
  factsToWait,
  mergesLater,
  outcomeWhileUnmet,
  requiredFor,
} from './definition/accept-conditions.ts'
import {
  acceptMemory,
  asksToWait,
  endlessRefusal,
  endlessTrain,
  forgetAdditions,
  forgetWait,
  LOOK_AGAIN_MS,
  mayStillLand,
  memoryAfterRefusal,
  rememberAddition,
  rememberWait,
  type WaitTerms,
} from './definition/accept-memory.ts'
import {
  type ActionInput,
  type ActionOutcome,
  action,
  blockedBy,
  type FactEffect,
  nothingToDo,
  oneCall,
  type PlannedCall,
} from './definition/action.ts'
import { goesFirst, leaveQueue, planQueued, rememberQueue, removalNow } from './definition/queued-merge.ts'

const needs = ['head', 'squash', 'merge_trains_enabled', 'merge_train'] as const satisfies FactName[]
type Input = ActionInput<AcceptArgs, (typeof needs)[number]>

const NO_TRAIN = ['none', 'merged', 'skip_merged']

/** The outcome while the service already does it by itself; undefined if a call is needed. */
function handedOver({ args, facts, fact }: Input): ActionOutcome | undefined {
  const waits = { result: 'waits', handedOver: true } as const
  if (facts.merge_trains_enabled && !NO_TRAIN.includes(facts.merge_train))
    return { ...waits, detail: `it is on the merge train, which says ${facts.merge_train}`, waitsFor: 'queue' }
  if (fact('merge_when_pipeline_succeeds') !== true) return undefined
  const later = args.when === 'checks_pass' ? 'its checks pass' : 'its pipeline succeeds'
  const detail = facts.merge_trains_enabled
    ? 'the service adds it to the merge train when its checks pass'
    : `the service merges it when ${later}`
  return {
    ...waits,
    detail,
    waitsFor: causeOf(factNamed('mergeability')?.waitsFor, fact('mergeability')) ?? 'pipeline',
  }
}

/** The call that merges it; a project with merge trains merges only by its train. */
function mergeCall({ args, facts, mr, fact }: Input): { call: CallData; detail: string } {
  const { squash, remove_source_branch, when } = args
  const later = mergesLater(args, fact)
  const short = facts.head.slice(0, 8)
  const condition = when === 'checks_pass' ? 'when its checks pass' : 'when its pipeline succeeds'
  const common = { ...mr, sha: facts.head, squash }
  const whenLater = later ? true : undefined
  if (facts.merge_trains_enabled) {
    const call = callData('mergeTrains.add', { ...common, auto_merge: whenLater, when_pipeline_succeeds: whenLater })
    return { call, detail: `add ${short} to the merge train${later ? ` ${condition}` : ''}` }
  }
  const call = callData('mergeRequests.accept', {
    ...common,
    should_remove_source_branch: remove_source_branch,
    merge_when_pipeline_succeeds: whenLater,
  })
  return { call, detail: later ? `ask the service to merge ${short} ${condition}` : `merge ${short}` }
}

/** An update for what the merge call cannot change: `squash`, and with merge trains the removal of the branch. */
function callsBefore({ args: { squash, remove_source_branch }, facts, mr, fact }: Input): PlannedCall[] {
  const effects: { fact: FactName; value: boolean }[] = []
  if (squash !== undefined && squash !== facts.squash) effects.push({ fact: 'squash', value: squash })
  const differs = remove_source_branch !== undefined && fact('remove_source_branch') !== remove_source_branch
  if (facts.merge_trains_enabled && differs) effects.push({ fact: 'remove_source_branch', value: remove_source_branch })
  if (effects.length === 0) return []
  const params = Object.fromEntries(effects.map(({ fact: name, value }) => [name, value]))
  return [{ call: callData('mergeRequests.update', { ...mr, ...params }), effects }]
}

/** Merges it by the merge queue, whose landing cannot change how the merge request is squashed. */
function enterQueue(input: Input): ActionOutcome {
  const { args, facts, queue } = input
  if (facts.merge_trains_enabled) return blockedBy('the project has merge trains: leave out queue')
  const squash = args.squash ?? facts.squash
  if (queue?.pushesHeads === true && squash)
    return blockedBy('the merge queue pushes merge commits (land: push), and it is to be squashed')
  const outcome = planQueued(queue?.land === 'push' && squash ? { ...input, args: { ...args, squash } } : input)
  return outcome.result === 'call' ? { ...outcome, calls: [...callsBefore(input), ...outcome.calls] } : outcome
}

function planMerge(input: Input): ActionOutcome {
  const { args, facts, fact, memory, now } = input
  const squashes = fact('squash_option')
  if (args.squash !== undefined && squashes === (args.squash ? 'never' : 'always'))
    return blockedBy(`the project ${squashes} squashes: leave out squash, or change the project`)
  const first = goesFirst(args, memory)
  if (first !== undefined) return first
  if (args.queue !== undefined) return enterQueue(input)
  const waiting = handedOver(input)
  if (waiting !== undefined) return waiting
  const { call, detail } = mergeCall(input)
  const endless =
    endlessRefusal(call, memory, now) ??
    (facts.merge_trains_enabled ? endlessTrain(args, memory, facts.head) : undefined)
  if (endless !== undefined) return blockedBy(endless)
  const memo: WaitTerms = { when: args.when, pipeline: args.pipeline }
  return { result: 'call', detail, calls: [...callsBefore(input), { call, revalidate: true, memo }] }
}

/** Cancels the merge that waits at the service. */
function cancelWaiting({ fact, mr, memory, now }: Pick<Input, 'fact' | 'mr' | 'memory' | 'now'>): ActionOutcome {
  const state = fact('state')
  if (state !== undefined && state !== 'opened') return nothingToDo(`it is ${state}`)
  if (fact('merge_when_pipeline_succeeds') === false) {
    if (!mayStillLand(memory, now)) return { result: 'nothing_to_do', detail: 'no merge is waiting', noticed: null }
    const detail = 'a request whose response was lost may still come to wait'
    return { result: 'waits', detail, againInMs: LOOK_AGAIN_MS }
  }
  const call = callData('mergeRequests.cancelMergeWhenPipelineSucceeds', mr)
  const effects: FactEffect[] = [{ fact: 'merge_when_pipeline_succeeds', value: false }]
  return oneCall('cancel the waiting merge: no rule requests it for this head', call, { effects })
}

export default action({
  name: 'accept',
  doc: 'Merge it when it is open, not a draft, mergeable, and the pipeline of its head succeeded, in the project itself where it comes from a fork. `pipeline: none` is for projects without CI. With `when: pipeline_succeeds` the service itself waits for the pipeline, and with `when: checks_pass` for every check; Bellhop cancels that when no rule requests it any more, and waits itself where a fork’s pipeline could count for the service. A project with merge trains (Premium) merges by its train. Where the service rebases at the merge (automatic rebase, in fast-forward and semi-linear projects), it must have the head of its target: else what nobody reviewed lands.',
  synonyms: ['merge', 'automerge', 'auto_merge', 'merge_when_pipeline_succeeds'],
  example: 'accept: { squash: true, remove_source_branch: true }',
  args: acceptArgs,
  needs,
  reads: {
    facts: (args) => [
      'merge_when_pipeline_succeeds',
      ...factsToWait(args),
      ...(args.squash === undefined ? [] : (['squash_option'] as const)),
      ...(args.remove_source_branch === undefined ? [] : (['remove_source_branch'] as const)),
    ],
  },
  // If only the rule is known, the merge counts as one that waits: another rule can cancel that.
  effects(args, given) {
    if (args.queue !== undefined && given !== undefined) return []
    return given === undefined || given.facts.merge_trains_enabled || mergesLater(args, given.fact)
      ? [{ fact: 'merge_when_pipeline_succeeds', value: true }]
      : [{ fact: 'state', value: 'merged' }]
  },
  when: 'until_done',
  limited: 'merge',
  requires: requiredFor,
  blocked: outcomeWhileUnmet,
  calls: planMerge,
  withdraw: {
    isInEffect(memory) {
      const { waitingSha, queued } = acceptMemory(memory)
      return waitingSha !== undefined || queued !== undefined
    },
    needs: ['merge_when_pipeline_succeeds', 'state'],
    calls(input) {
      const leaving = leaveQueue(input)
      const waiting = acceptMemory(input.memory).waitingSha === undefined ? undefined : cancelWaiting(input)
      if (leaving === undefined) return waiting ?? nothingToDo('no merge is waiting')
      const calls = [leaving.call, ...(waiting?.result === 'call' ? waiting.calls : [])]
      const why = removalNow(input) === undefined ? ': no rule requests it for this head' : ''
      return { result: 'call', detail: `${leaving.detail}${why}`, calls }
    },
  },
  // A fast-forward makes no commit.
  answered: (_call, answer) =>
    isMap(answer) && typeof answer.merge_commit_sha === 'string' ? { created: answer.merge_commit_sha } : {},
  notice: forgetWait,
  refused: memoryAfterRefusal,
  remember(memory, call, certain, at) {
    if (call.to === 'queue') return rememberQueue(memory, call, certain)
    if (call.endpoint === 'mergeRequests.cancelMergeWhenPipelineSucceeds')
      return certain ? forgetWait(forgetAdditions(memory)) : memory
    if (call.endpoint === 'mergeTrains.add') return rememberWait(rememberAddition(memory, call), call, certain, at)
    const waits = call.endpoint === 'mergeRequests.accept' && asksToWait(call)
    return waits ? rememberWait(memory, call, certain, at) : memory
  },
})
