// status: a commit status on the head that the project can require, kept at success exactly while a rule matches.
import { callData } from '../../api/call-data.ts'
import { choice, described, fields, isMap, type Shape, text } from '../language/values/shapes.ts'
import type { Memory } from '../types.ts'
import { type ActionOutcome, action, nothingToDo, type PlannedCall } from './definition/action.ts'

/** GitLab stores no longer ones. */
const LONGEST = 255

const keys = fields(
  {
    name: described('The name of the status, such as `bellhop/policy`.', text(LONGEST, 'a name')),
    while: described('The state while a rule matches.', choice(['success'])),
    else: described(
      'The state while no rule matches: `failed` (the default) or `pending`.',
      choice(['failed', 'pending']),
    ),
    description: described('What people read next to it while a rule matches.', text(LONGEST)),
  },
  ['name'],
)
type StatusArgs = NonNullable<ReturnType<typeof keys.read>> & { name: string }

const args: Shape<StatusArgs> = {
  ...keys,
  read: (value, path, issues) => keys.read(value, path, issues) as StatusArgs | undefined,
}

/** The pipeline that the status belongs to. A commit without one gets a pipeline for the status. */
interface Place {
  project: number
  sha: string
  ref: string
  pipeline?: number
}

/** The head pipeline where there is one: a status in another does not count for the merge request. */
function placeOf(mergeRequest: unknown, head: string): Place | undefined {
  if (!isMap(mergeRequest)) return undefined
  const { head_pipeline: pipeline, source_branch: ref, source_project_id: project } = mergeRequest
  if (isMap(pipeline) && pipeline.source !== 'external' && typeof pipeline.sha === 'string') {
    const { id, project_id, sha, ref: branch } = pipeline
    // The pipeline of an earlier head is not the one that counts.
    const isOfHead = sha === head || String(branch).startsWith('refs/merge-requests/')
    if (isOfHead && typeof id === 'number' && typeof branch === 'string')
      return { project: Number(project_id ?? project), sha, ref: branch, pipeline: id }
  }
  return typeof ref === 'string' && typeof project === 'number' ? { project, sha: head, ref } : undefined
}

interface Wanted {
  state: 'success' | 'failed' | 'pending'
  description: string
}

type StatusRequest = { args: StatusArgs; matches: boolean }

/** Success while one of the rules matches; else failed, or pending where all rules say so. */
function wantedFor(requests: readonly StatusRequest[], bot: string): Wanted {
  const matching = requests.find(({ matches }) => matches)
  if (matching !== undefined) return { state: 'success', description: matching.args.description ?? 'A rule matches.' }
  const state = requests.every(({ args: { else: state } }) => state === 'pending') ? 'pending' : 'failed'
  return { state, description: `No rule matches. Comment “@${bot} why” to see what is missing.` }
}

const isSet = ({ statuses = {} }: Memory, name: string, posted: object) =>
  JSON.stringify(statuses[name]) === JSON.stringify(posted)

export default action({
  name: 'status',
  doc: 'Set a commit status on the head: success while a rule matches, else failed or pending, so that people wait for it too where the project requires pipelines to succeed. Statuses of other names stay as they are. Without a pipeline, the status makes one. In a fork, Bellhop must be a Developer.',
  synonyms: ['commit_status', 'check', 'set_status'],
  example: 'status: { name: bellhop/policy, while: success, description: Approved by an owner }',
  args,
  needs: ['state', 'head'],
  alsoUnmatched: true,
  isWithdrawal: ({ state }) => state !== 'success',
  reads: () => ['mergeRequest'],
  calls: () => nothingToDo('statuses are joined'),
  join(requests, { facts: { state, head }, memory, body, bot }) {
    const all = requests as readonly (StatusRequest & { args: StatusArgs })[]
    const place = head === null ? undefined : placeOf(body('mergeRequest'), head)
    const outcomes: ActionOutcome[] = []
    const calls = new Map<string, PlannedCall & { requests: number[] }>()
    for (const [
      index,
      {
        args: { name },
      },
    ] of all.entries()) {
      if (state !== 'opened' || place === undefined) {
        outcomes.push(nothingToDo(state === 'opened' ? 'its head is not known' : `it is ${state}`))
        continue
      }
      const wanted = wantedFor(
        all.filter(({ args }) => args.name === name),
        bot.username,
      )
      const posted = { ...place, ...wanted }
      if (isSet(memory, name, posted)) {
        outcomes.push(nothingToDo(`the status ${name} is ${wanted.state}`))
        continue
      }
      outcomes.push({ result: 'call', detail: `set the status ${name} to ${wanted.state}`, calls: [] })
      const { project: id, pipeline, ...at } = place
      const named = { ...(pipeline === undefined ? {} : { pipeline_id: pipeline }), name, ...wanted }
      const call = callData('repository.statuses.create', { id, ...at, ...named })
      const planned = calls.get(name) ?? { call, memo: { name, posted }, requests: [] }
      calls.set(name, { ...planned, requests: [...planned.requests, index] })
    }
    return { outcomes, calls: [...calls.values()] }
  },
  // Where its response was lost, it is set again: the service takes the same state twice.
  remember(memory, { memo }, certain) {
    if (!isMap(memo) || typeof memo.name !== 'string') return memory
    const { [memo.name]: _before, ...others } = memory.statuses ?? {}
    const statuses = certain && isMap(memo.posted) ? { ...others, [memo.name]: memo.posted } : others
    return { ...memory, statuses: statuses as Memory['statuses'] & object }
  },
})
