// accept: merge the evaluated head, and no other (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import type { Condition, Json } from '../language/values/rule-types.ts'
import { bool, choice, described, fields, isMap, refuse, type Shape } from '../language/values/shapes.ts'
import type { Trace } from '../types.ts'
import {
  type ActionOutcome,
  action,
  blockedBy,
  nothingToDo,
  type PlannedCall,
  type UnmetConditions,
} from './definition/action.ts'

const options = fields({
  squash: described('Whether the commits are squashed into one.', bool),
  remove_source_branch: described('Whether the source branch is removed.', bool),
  pipeline: described(
    '`required` (the default): the pipeline of its head succeeded; `none`: for projects without CI.',
    choice(['required', 'none']),
  ),
  when: described('The service itself waits for the pipeline, and merges then.', choice(['pipeline_succeeds'])),
})
type Args = NonNullable<ReturnType<typeof options.read>>

/** `true` means: with the defaults. */
const args: Shape<Args> = {
  expected: `true or ${options.expected}`,
  schema: (context) => ({
    anyOf: [
      { const: true },
      {
        ...options.schema(context),
        not: { properties: { pipeline: { const: 'none' } }, required: ['pipeline', 'when'] },
      },
    ],
  }),
  read(value, path, issues) {
    if (value === true) return {}
    if (isMap(value)) {
      const read = options.read(value, path, issues)
      if (read?.when === undefined || read.pipeline !== 'none') return read
      return refuse(issues, { path: [...path, 'when'], expected: 'a pipeline to wait for', found: 'pipeline: none' })
    }
    return refuse(issues, { path, expected: this.expected })
  },
}

const MERGEABLE = ['mergeable', 'can_be_merged']
const STARTING = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending']
/** Statuses of a pipeline that may still succeed by itself. */
const UNFINISHED = [...STARTING, 'running', 'scheduled']
/** Values that the service changes by itself: when to read them again, or that an event follows. */
const TRANSIENT: Record<string, Record<string, number | 'event'>> = {
  state: { locked: 2000 },
  mergeability: {
    ...{ preparing: 2000, unchecked: 2000, checking: 2000, approvals_syncing: 2000, ci_still_running: 2000 },
    ...{ cannot_be_merged_recheck: 2000, cannot_be_merged_rechecking: 2000 },
  },
  pipeline: Object.fromEntries(['none', ...UNFINISHED].map((status) => [status, 'event'])),
}

function requires({ pipeline, when }: Args): Condition[] {
  const always: Condition[] = [
    { fact: 'state', operator: 'equals', expected: 'opened' },
    { fact: 'draft', operator: 'equals', expected: false },
  ]
  const mergeability: Condition = { fact: 'mergeability', operator: 'one_of', expected: MERGEABLE }
  // The service itself waits for the end of the pipeline.
  if (when !== undefined) {
    const open: Condition = {
      fact: 'mergeability',
      operator: 'one_of',
      expected: [...MERGEABLE, 'ci_still_running', 'ci_must_pass'],
    }
    return [...always, { fact: 'pipeline', operator: 'one_of', expected: ['success', ...UNFINISHED] }, open]
  }
  // The fact `pipeline` counts only pipelines of the head (facts/pipeline.ts). It comes first: mergeability follows from it.
  return pipeline === 'none'
    ? [...always, mergeability]
    : [...always, { fact: 'pipeline', operator: 'equals', expected: 'success' }, mergeability]
}

function readAgain(condition: Trace, value: Json | undefined): number | 'event' | undefined {
  if (condition.verdict === 'true') return 'event'
  return typeof value === 'string' ? TRANSIENT[condition.condition]?.[value] : undefined
}

function blocked({ trace, value }: UnmetConditions): ActionOutcome {
  if (value('state') === 'merged') return nothingToDo('it is merged')
  const unmet = (trace.children ?? []).filter((child) => child.verdict !== 'true')
  const waits = unmet.map((child) => readAgain(child, value(child.condition as 'state')))
  const stop = unmet.find((_, index) => waits[index] === undefined)
  const first = stop ?? unmet[0] ?? trace
  const detail = `${first.condition} must be ${first.expected}, it is ${first.actual}${first.toFix === undefined ? '' : `; to fix: ${first.toFix}`}`
  if (stop !== undefined) return blockedBy(detail)
  const waitsForPipeline = unmet.some((child) => child.condition === 'pipeline')
  const delays = unmet.flatMap((child, index) => {
    const ms = waits[index]
    // The end of the pipeline brings an event: reading its mergeability again would only cost calls.
    return typeof ms !== 'number' ||
      (waitsForPipeline && value('mergeability') === 'ci_still_running' && child.condition === 'mergeability')
      ? []
      : [ms]
  })
  return { result: 'waits', detail, ...(delays.length === 0 ? {} : { againInMs: Math.min(...delays) }) }
}

/** Whether the service is to merge later. */
const waits = (when: Args['when'], fact: (name: 'pipeline') => Json | undefined) =>
  when !== undefined && fact('pipeline') !== 'success'

export default action({
  name: 'accept',
  doc: 'Merge it when it is open, not a draft, mergeable, and the pipeline of its head succeeded. `pipeline: none` is for projects without CI. With `when: pipeline_succeeds` the service itself waits for the pipeline; Bellhop cancels that when no rule requests it any more.',
  example: 'accept: { squash: true, remove_source_branch: true }',
  args,
  needs: ['head', 'squash'],
  needsFor: ({ when }) => (when === undefined ? [] : ['pipeline', 'merge_when_pipeline_succeeds']),
  last: true,
  // Where only the rule is known, the merge counts as one that waits: another rule can cancel that.
  effects: ({ when }, given) =>
    given === undefined || waits(when, given.fact)
      ? [{ fact: 'merge_when_pipeline_succeeds', value: true }]
      : [{ fact: 'state', value: 'merged' }],
  standing: 'until it is done',
  policy: 'merge',
  limitedWhenNew: true,
  requires,
  blocked,
  calls({ args: { squash, remove_source_branch, when }, facts, mr, fact }) {
    const isWaiting = waits(when, fact)
    if (isWaiting && fact('merge_when_pipeline_succeeds') === true)
      return { result: 'waits', detail: 'the service merges it when its pipeline succeeds', handedOver: true }
    const accept = callData('mergeRequests.accept', {
      ...mr,
      sha: facts.head,
      ...(squash === undefined ? {} : { squash }),
      ...(remove_source_branch === undefined ? {} : { should_remove_source_branch: remove_source_branch }),
      ...(isWaiting ? { merge_when_pipeline_succeeds: true } : {}),
    })
    // The merge call of api-v4.md has no `squash`: set it on the merge request before.
    const before: PlannedCall[] =
      squash === undefined || squash === facts.squash
        ? []
        : [
            {
              call: callData('mergeRequests.update', { ...mr, squash }),
              effects: [{ fact: 'squash', value: squash }],
            },
          ]
    const short = facts.head.slice(0, 8)
    const detail = isWaiting ? `ask the service to merge ${short} when its pipeline succeeds` : `merge ${short}`
    return { result: 'call', detail, calls: [...before, { call: accept, revalidate: true }] }
  },
  fulfils: ({ endpoint, params }) =>
    endpoint === 'mergeRequests.accept' && params.merge_when_pipeline_succeeds !== true,
  withdraw: {
    isInEffect: (memory) => memory.waitingSha !== undefined,
    needs: ['merge_when_pipeline_succeeds', 'state'],
    calls({ fact, mr }) {
      const state = fact('state')
      if (state !== undefined && state !== 'opened') return nothingToDo(`it is ${state}`)
      if (fact('merge_when_pipeline_succeeds') === false)
        return { result: 'nothing_to_do', detail: 'no merge is waiting', noted: null }
      const call = callData('mergeRequests.cancelMergeWhenPipelineSucceeds', mr)
      return {
        result: 'call',
        detail: 'cancel the waiting merge: no rule requests it for this head',
        calls: [{ call, effects: [{ fact: 'merge_when_pipeline_succeeds', value: false }] }],
      }
    },
  },
  notice: ({ waitingSha: _sha, ...memory }) => memory,
  // Fails closed: what may be waiting is remembered as ours, so that it can be cancelled.
  remember({ waitingSha, ...memory }, { endpoint, params }, certain) {
    const kept = waitingSha === undefined ? memory : { ...memory, waitingSha }
    if (endpoint === 'mergeRequests.cancelMergeWhenPipelineSucceeds') return certain ? memory : kept
    if (endpoint !== 'mergeRequests.accept') return kept
    const sha = params.merge_when_pipeline_succeeds === true && typeof params.sha === 'string' ? params.sha : undefined
    return sha === undefined ? kept : { ...memory, waitingSha: sha }
  },
})
