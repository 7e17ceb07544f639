// pipeline: run, retry or cancel the head's pipeline for an event (GitLab docs: api/pipelines, api/merge_requests).
import { callData } from '../../api/call-data.ts'
import { needsList, type Pipeline, selectPipeline, UNFINISHED } from '../facts/definition/select-pipeline.ts'
import { items } from '../facts/definition/service-values.ts'
import { choice, isMap } from '../language/values/shapes.ts'
import type { Memory } from '../types.ts'
import {
  type ActionInput,
  type ActionOutcome,
  action,
  actionMemory,
  blockedBy,
  nothingToDo,
  oneCall,
} from './definition/action.ts'

/** Each run costs runners, and two rules may answer each other's failures. */
export const MOST_RUNS = 3
const RETRYABLE = ['failed', 'canceled']

const args = choice(['run', 'retry', 'cancel'], { run: ['start', 'trigger'], retry: ['rerun'], cancel: ['stop'] })
type Args = NonNullable<ReturnType<typeof args.read>>

const needs = ['state', 'head', 'pipeline'] as const
type Input = ActionInput<Args, (typeof needs)[number]>

function selected({ body }: Pick<Input, 'body'>): Pipeline | undefined {
  const mergeRequest = body('mergeRequest')
  const head = isMap(mergeRequest) ? mergeRequest.head_pipeline : undefined
  const found = selectPipeline(head, needsList(head) ? body('pipelines') : undefined)
  return typeof found === 'object' && Number.isSafeInteger(found.id) ? found : undefined
}

const idOf = (each: unknown) => (isMap(each) ? each.id : undefined)

/** The id of the newest pipeline of the merge request; 0 if it has none; undefined if the list cannot be read. */
function newestId({ body }: Pick<Input, 'body'>): number | undefined {
  const all = items(body('pipelines') as unknown[])
  return all === undefined
    ? undefined
    : Math.max(0, ...all.flatMap((each) => (Number.isSafeInteger(idOf(each)) ? [Number(idOf(each))] : [])))
}

/** How many pipelines Bellhop ran or retried for the head. */
const pipelineRuns = actionMemory<{ head: string; times: number }>('pipeline')

function runsOf(memory: Memory, head: string): number {
  const runs = pipelineRuns.of(memory)
  return runs?.head === head ? runs.times : 0
}

function planRun(input: Input): ActionOutcome {
  const { mr, facts } = input
  const newest = newestId(input)
  if (newest === undefined)
    return blockedBy('its pipelines cannot be read, so nobody would know what became of a new one')
  const call = callData('mergeRequests.createPipeline', mr)
  return oneCall(`run a pipeline of ${facts.head.slice(0, 8)}`, call, { before: { newest }, memo: { ran: facts.head } })
}

function planRetry({ mr, facts }: Input, { id }: Pipeline): ActionOutcome {
  const call = callData('repository.pipelines.retry', { id: mr.id, pipeline_id: id })
  return oneCall(`retry pipeline ${id}`, call, { before: { pipeline: id }, memo: { ran: facts.head } })
}

/** Why code of the merge request is not run; undefined if it may be. */
function refused({ facts, fact, memory }: Input): string | undefined {
  if (fact('from_fork') === true)
    return 'the code of a fork is not run with Bellhop’s rights: a member can run its pipeline'
  if (runsOf(memory, facts.head) < MOST_RUNS) return undefined
  return `Bellhop ran or retried pipelines ${MOST_RUNS} times for this head: after a push it may again`
}

export default action({
  name: 'pipeline',
  doc: `Run a new pipeline of the merge request, retry the failed or canceled one of its head, or cancel the one that runs, once for each event. At most ${MOST_RUNS} runs and retries for each head, and none of a fork’s code: jobs run with the rights of Bellhop’s user.`,
  synonyms: ['ci', 'run_pipeline', 'retry_pipeline', 'cancel_pipeline'],
  example: 'pipeline: run',
  args,
  needs,
  reads: { facts: (args) => (args === 'cancel' ? [] : ['from_fork']) },
  when: 'on_events',
  limited: 'maintainers',
  effects: (args) => [{ fact: 'pipeline', value: args === 'cancel' ? 'canceled' : 'pending' }],
  calls(input): ActionOutcome {
    const { args, facts, mr } = input
    const { state, pipeline: status } = facts
    if (args === 'run' && state !== 'opened') return nothingToDo(`it is ${state}`)
    const isActive = UNFINISHED.includes(status)
    const found = status === 'none' ? undefined : selected(input)
    if (args === 'run' && isActive) return nothingToDo(`the pipeline of the head is ${status}`)
    if (args !== 'run' && found === undefined) return nothingToDo('the head has no pipeline')
    if (args === 'cancel' && !isActive) return nothingToDo(`the pipeline of the head is ${status}`)
    if (args === 'retry' && !RETRYABLE.includes(status)) return nothingToDo(`the pipeline of the head is ${status}`)
    const reason = args === 'cancel' ? undefined : refused(input)
    if (reason !== undefined) return blockedBy(reason)
    if (found === undefined || args === 'run') return planRun(input)
    if (args === 'retry') return planRetry(input, found)
    const call = callData('repository.pipelines.cancel', { id: mr.id, pipeline_id: found.id })
    return oneCall(`cancel pipeline ${found.id}`, call)
  },
  reconcile({ before }, { fact, body }) {
    if (!isMap(before)) return 'unknown'
    if ('newest' in before) {
      const newest = newestId({ body })
      return newest === undefined ? 'unknown' : newest > Number(before.newest) ? 'done' : 'not_done'
    }
    // The head has another pipeline now, so nobody needs the old one.
    if (selected({ body })?.id !== before.pipeline) return 'unknown'
    return RETRYABLE.includes(String(fact('pipeline'))) ? 'not_done' : 'done'
  },
  // A lost call is counted once its outcome is known.
  remember(memory, { memo }, certain) {
    if (!certain || !isMap(memo) || typeof memo.ran !== 'string') return memory
    return pipelineRuns.put(memory, { head: memo.ran, times: runsOf(memory, memo.ran) + 1 })
  },
})
