// The pipeline that is bound to the head commit.

import { choice } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import type { Fact, FactView } from './definition/fact.ts'
import { known } from './definition/fact.ts'
import {
  isOfMergeRequest,
  isOfTrain,
  mayBeOfMergedResult,
  needsList,
  type Pipeline,
  ranInTarget,
  selectPipeline,
} from './definition/select-pipeline.ts'
import { items, parseTime } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

const STATUSES = [
  ...['none', 'created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running', 'success'],
  ...['failed', 'canceling', 'canceled', 'skipped', 'manual', 'scheduled'],
]
const type = choice(STATUSES, {
  success: ['passed', 'passing', 'succeeded', 'green'],
  failed: ['failure', 'red'],
  canceled: ['cancelled'],
})

const notYet = (remark: string): FactValue => known(type, 'none', true, remark)

/** The value for a pipeline in a fork. A green one proves nothing: there, anybody can post a status. */
const inFork = ({ id, status }: Pipeline): FactValue => ({
  is: 'known',
  value: 'none',
  complete: true,
  remark: `pipeline ${id} ran in the fork, where it is ${status}`,
  toFix: 'a member presses “Run pipeline”, or the rule says pipeline: { of_fork: success }',
})

/** The pipeline of the merge request, or why there is none yet. */
function candidate(view: FactView, headPipeline: unknown): Pipeline | FactValue {
  const reading = needsList(headPipeline) ? view.source(sources.pipelines) : undefined
  if (reading !== undefined && reading.is !== 'read') return reading
  const selected = selectPipeline(headPipeline, reading?.body)
  if (typeof selected === 'object') return selected
  if (selected === 'unreadable') return { is: 'absent', reason: 'the pipeline cannot be read' }
  return notYet(
    selected === 'child_pipeline' ? 'its head pipeline is the child of another pipeline' : 'there is no pipeline yet',
  )
}

/** Whether the pipeline ran on a commit that merges `head` into the target: merged results. */
function mergesHead(view: FactView, pipeline: Pipeline, head: string): boolean | FactValue {
  const reading = view.source(sources.pipelineCommit)
  if (reading.is !== 'read') return reading
  const parents = items(reading.body.parent_ids) ?? []
  return reading.body.id === pipeline.sha && parents.length > 1 && parents.includes(head)
}

/** A backtest evaluates at the time of the merge: a pipeline that changed later was something else then. */
function endedAfterMerge(view: FactView, state: unknown, { updated_at }: Pipeline): boolean {
  const [at, now] = [parseTime(updated_at), parseTime(view.now)]
  return state === 'merged' && at !== undefined && now !== undefined && at > now
}

/** `takesForks`: a pipeline that ran in the fork counts too. */
function read(view: FactView, takesForks: boolean): FactValue {
  const reading = view.source(sources.mergeRequest)
  if (reading.is !== 'read') return reading
  const { sha: head, head_pipeline } = reading.body
  if (typeof head !== 'string') return { is: 'absent', reason: 'the merge request has no head commit' }
  const found = candidate(view, head_pipeline)
  if ('is' in found) return found
  if (endedAfterMerge(view, reading.body.state, found))
    return { is: 'absent', reason: 'what pipeline was then is not known' }
  const isOwn = ranInTarget(reading.body, found)
  if (!takesForks && isOwn === false) return inFork(found)
  // Fails closed: the pipeline may be the fork's.
  if (!takesForks && isOwn === undefined)
    return { is: 'absent', reason: `the service does not say whether pipeline ${found.id} ran in the fork` }
  if (isOwn === true && view.project.mergeRequestPipelines && !isOfMergeRequest(found)) {
    return notYet(`pipeline ${found.id} is of the branch, and this project’s merge requests have their own`)
  }
  if (found.sha === head) return known(type, found.status)
  // A train that squashes or rebases does not merge the head itself.
  const ofTrain = isOfTrain(found) ? `, of a merge train, is ${found.status} and` : ''
  const older = notYet(`pipeline ${found.id}${ofTrain} is of another commit than the head`)
  if (isOwn !== true || !mayBeOfMergedResult(found)) return older
  const merges = mergesHead(view, found, head)
  if (typeof merges === 'object') return merges
  return merges ? known(type, found.status) : older
}

const common = {
  type,
  from: [sources.mergeRequest.name, sources.pipelines.name, sources.pipelineCommit.name],
  changesWith: ['status'],
  recorded: true,
  waitsFor: 'pipeline',
  whileOpen: true,
  reachable: ['success', 'skipped'],
  toFix: (expected, actual) =>
    actual === 'none' ? 'a pipeline of the head commit' : `a pipeline of the head commit that is ${expected}`,
} satisfies Partial<Fact<string>>

export const pipeline: Fact<string> = {
  ...common,
  doc: 'The status of the pipeline that ran on the head commit, in the project itself; `none` while there is none: older commits, child pipelines, pipelines of forks and, where merge requests have their own pipelines, branch pipelines do not count; of a merge train’s pipelines only a failed one does.',
  synonyms: ['ci', 'status', 'checks', 'build'],
  read: (view) => read(view, false),
  example: 'pipeline: success',
}

export const pipeline_of_fork: Fact<string> = {
  ...common,
  doc: 'The same, also of a pipeline that ran in the fork. Its author decides what that tests, and anybody can post a success there: require an approval too.',
  writtenAs: { fact: 'pipeline', key: 'of_fork' },
  read: (view) => read(view, true),
  example: 'pipeline: { of_fork: success }',
}
