// status: a commit status on the head that the project can require, kept at success exactly while a rule matches.
import { callData } from '../../api/call-data.ts'
import {
  explainsPipeline,
  isOfOneMergeRequest,
  newestStatus,
  type StatusPlace,
  statusPlace,
} from '../facts/definition/select-pipeline.ts'
import { sources } from '../facts/definition/sources.ts'
import { choice, described, fields, isMap, text } from '../language/values/shapes.ts'
import { cut } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import {
  type ActionOutcome,
  type ActionRequest,
  action,
  actionMemory,
  blockedBy,
  type JoinInput,
  nothingToDo,
  type PlannedCall,
} from './definition/action.ts'

/** GitLab stores no longer texts. */
const LONGEST = 255

const args = fields(
  {
    name: described('The name of the status, such as `bellhop/policy`.', text(LONGEST, 'a name')),
    while: described('The state while a rule matches.', choice(['success'])),
    else: described(
      'The state while no rule matches, or once none sets it any more: `failed` (the default) or `pending`.',
      choice(['failed', 'pending']),
    ),
    description: described('What people read next to it while a rule matches.', text(LONGEST)),
  },
  ['name'],
)
type StatusArgs = NonNullable<ReturnType<typeof args.read>>

type Unmet = 'failed' | 'pending'
type StatusContent = {
  state: 'success' | Unmet
  description: string
}
/** A status that memory holds. `unmet`: what success becomes once no rule sets it. */
type Posted = StatusPlace & StatusContent & { unmet: Unmet; forged?: Forged; isUncertain?: true }
/** How often somebody else set it on the head, and the id of the last status that Bellhop replaced. */
type Forged = { head: string; times: number; last: number }

/** The statuses that Bellhop posted last, by name. */
export const postedStatuses = actionMemory<Record<string, Posted>>('status')
const postedIn = (memory: Memory) => postedStatuses.of(memory) ?? {}

type StatusRequest = Pick<ActionRequest, 'matches' | 'missing' | 'file'> & { args: StatusArgs }

const unmetState = (requests: readonly StatusRequest[]): Unmet =>
  requests.every(({ args }) => args.else === 'pending') ? 'pending' : 'failed'

/** Success while one of the rules matches; else failed, or pending if all rules say so. */
function wantedFor(requests: readonly StatusRequest[], bot: string): StatusContent {
  const matching = requests.find(({ matches }) => matches)
  if (matching !== undefined) return { state: 'success', description: matching.args.description ?? 'A rule matches.' }
  const state = unmetState(requests)
  const missing = [...new Set(requests.flatMap((each) => each.missing?.() ?? []))].join(' or ')
  // GitLab refuses to set pending once more, so that a text would stay.
  if (state === 'failed' && missing !== '') return { state, description: cut(`To fix: ${missing}`, LONGEST - 1) }
  return { state, description: `No rule matches. Comment “@${bot} why” to see what is missing.` }
}

/** Why it must not be success: a status of a branch counts for every merge request from that branch. */
function sharedWith(place: StatusPlace, { body, mr }: Pick<JoinInput, 'body' | 'mr'>): string | undefined {
  if (isOfOneMergeRequest(place)) return undefined
  const listed = body(sources.sameSource.name)
  // Fails closed: another merge request may be in the part that cannot be read.
  if (!Array.isArray(listed)) return 'Whether another merge request has the same source branch is not known.'
  const own = body('mergeRequest')
  const is = (value: unknown, expected: unknown) => value === undefined || value === expected
  const other = (listed as unknown[]).find(
    (each) =>
      isMap(each) &&
      isMap(own) &&
      each.iid !== mr.merge_request_iid &&
      is(each.state, 'opened') &&
      is(each.source_branch, own.source_branch) &&
      is(each.source_project_id, own.source_project_id),
  )
  if (!isMap(other)) return undefined
  return `!${String(other.iid)} has the same source branch, where this status would count too.`
}

/** A head whose status somebody else sets more often has failed. */
const MOST_REPLACED = 3

/** `call`: the service does not show it yet. */
type StatusPlan = {
  wanted: StatusContent
  unmet: Unmet
  forged: Forged
  call: boolean
  replaced?: PlannedCall['replaced']
}

function planStatus(
  name: string,
  requests: readonly StatusRequest[],
  place: StatusPlace,
  input: JoinInput<'head'>,
): StatusPlan {
  const { memory, bot, facts } = input
  const { forged: found, ...last } = postedIn(memory)[name] ?? {}
  const head = String(facts.head)
  const before: Forged = found?.head === head ? found : { head, times: 0, last: 0 }
  const isFinal = before.times > MOST_REPLACED
  const unmet = unmetState(requests)
  // Whether Bellhop did not set exactly this last.
  const isMissing = (wanted: StatusContent) => JSON.stringify(last) !== JSON.stringify({ ...place, ...wanted, unmet })
  const own = isFinal ? forgedTooOften : wantedFor(requests, bot.username)
  const wanted = isMissing(own) ? unlessShared(own, place, unmet, input) : own
  const unforged = (content: StatusContent) => ({ wanted: content, unmet, forged: before, call: isMissing(content) })
  // Ending the success needs no further answer.
  const isTakenBack = wanted.state !== 'success' && isMissing(wanted)
  if (isTakenBack || explainsPipeline(wanted.state, input.body('mergeRequest'))) return unforged(wanted)
  const listed = input.body(`${sources.statuses.name}@${name}`)
  if (!Array.isArray(listed)) {
    // Fails closed: somebody else's status may be in the part that cannot be read.
    const unread = { state: unmet, description: 'Whether somebody else set this status is not known.' }
    return unforged(wanted.state === 'success' ? unread : wanted)
  }
  const shown = newestStatus(listed, name, place)
  // The service may still show the replaced status. In the end any failure counts, so that two bots with one name stop.
  const isForged =
    shown !== undefined &&
    shown.author.id !== bot.id &&
    shown.id > before.last &&
    !(isFinal && shown.state === 'failed')
  // Bellhop's own status with another state: the memory may be older than the service.
  const isOther = shown?.author.id === bot.id && (shown.state === 'success') !== (wanted.state === 'success')
  if (!isForged && !isOther) return unforged(wanted)
  const forged = isForged ? { ...before, times: before.times + 1, last: shown.id } : before
  const after = forged.times > MOST_REPLACED ? forgedTooOften : unlessShared(wanted, place, unmet, input)
  const replaced = { name, state: shown.state, by: String(shown.author.username ?? 'somebody') }
  return { wanted: after, unmet, forged, call: true, replaced: isForged ? replaced : undefined }
}

const forgedTooOften: StatusContent = {
  state: 'failed',
  description: 'Somebody else keeps setting this status: it stays failed until the next push.',
}

/** The status, without its success if that would count for another merge request too. */
function unlessShared(
  content: StatusContent,
  place: StatusPlace,
  unmet: Unmet,
  input: Pick<JoinInput, 'body' | 'mr'>,
): StatusContent {
  const shared = content.state === 'success' ? sharedWith(place, input) : undefined
  return shared === undefined ? content : { state: unmet, description: shared }
}

function callOfPlan(name: string, place: StatusPlace, { wanted, unmet, forged, replaced }: StatusPlan): PlannedCall {
  const posted = { ...place, ...wanted, unmet, forged: forged.times === 0 ? undefined : forged }
  return { ...statusCall(name, posted), replaced }
}

function detailOf(name: string, { wanted: { state }, forged, replaced, call }: StatusPlan): string {
  const often = forged.times > MOST_REPLACED ? ': somebody else set it too often for this head, push again' : ''
  if (!call) return `the status ${name} is ${state}${often}`
  const other = replaced === undefined ? '' : ` in place of ${replaced.state}, which somebody else set`
  return `set the status ${name} to ${state}${other}${often}`
}

function statusCall(name: string, posted: Posted): PlannedCall {
  const { project: id, sha, ref, pipeline, state, description } = posted
  const call = callData('repository.statuses.create', { id, sha, ref, pipeline_id: pipeline, name, state, description })
  return { call, memo: { name, posted } }
}

/** Statuses lead to the page of the dashboard. */
const linked = <C extends PlannedCall>(calls: readonly C[], { page }: Pick<JoinInput, 'page'>): C[] =>
  calls.map((each) => ({ ...each, call: { ...each.call, params: { ...each.call.params, target_url: page } } }))

/** Success that Bellhop set itself, by name, and that none of the names has now. */
const unrequestedIn = (memory: Memory, names: readonly string[]): [string, Posted][] =>
  Object.entries(postedIn(memory)).filter(([name, { state }]) => state === 'success' && !names.includes(name))

/** The calls that end the success of these statuses, on the head that has them: a newer head may exist. */
function withdrawalCalls(memory: Memory, names: readonly string[], state: string): PlannedCall[] {
  // After the merge there is nothing to stop. A closed merge request may be reopened.
  if (state === 'merged') return []
  return unrequestedIn(memory, names).map(([name, posted]) =>
    statusCall(name, { ...posted, state: posted.unmet, description: 'No rule of Bellhop sets this any more.' }),
  )
}

export default action({
  name: 'status',
  doc: 'Set a commit status on the head: success while a rule matches, else failed, with what is missing, or pending, so that people wait for it too where the project requires pipelines to succeed. A failed one fails the pipeline of the head, which holds back every `accept`. One that somebody else sets under its name is replaced; from the fourth on, it stays failed until the next push. Statuses of other names stay as they are. Where a rule of the operator sets a status, the repository’s own rules do not. Without a pipeline, the status makes one. In a fork, Bellhop must be a Developer.',
  synonyms: ['commit_status', 'check', 'set_status'],
  example: 'status: { name: bellhop/policy, while: success, description: Approved by an owner }',
  args,
  needs: ['state', 'head'],
  when: 'unmatched_too',
  reads: { sources: [sources.statuses.name] },
  calls: () => nothingToDo('statuses are joined'),
  join(requests, input) {
    const { facts, memory, body } = input
    const { state, head } = facts
    const all = requests as readonly StatusRequest[]
    const ofOperator = new Set(all.flatMap(({ file, args }) => (file.trust === 'operator' ? [args.name] : [])))
    const counts = ({ file, args }: StatusRequest) => file.trust === 'operator' || !ofOperator.has(args.name)
    const place = head === null ? undefined : statusPlace(body('mergeRequest'))
    const outcomes: ActionOutcome[] = []
    const calls = new Map<string, PlannedCall & { requests: number[] }>()
    const names = all.map(({ args }) => args.name)
    let unmet: string | undefined
    for (const [index, request] of all.entries()) {
      const { name } = request.args
      if (state !== 'opened' || place === undefined) {
        outcomes.push(nothingToDo(state === 'opened' ? 'its head is not known' : `it is ${state}`))
        continue
      }
      // A user who changes the repository's rules must not meet what the operator requires.
      if (!counts(request)) {
        outcomes.push(blockedBy(`a rule of the operator sets the status ${name}`))
        continue
      }
      const ofName = all.filter((each) => each.args.name === name && counts(each))
      const plan = planStatus(name, ofName, place, input)
      const detail = detailOf(name, plan)
      if (plan.wanted.state !== 'success') unmet = `the status ${name}, which is part of it, is ${plan.wanted.state}`
      if (!plan.call) {
        outcomes.push(nothingToDo(detail))
        continue
      }
      outcomes.push({ result: 'call', detail, calls: [] })
      const planned = calls.get(name) ?? { ...callOfPlan(name, place, plan), requests: [] }
      calls.set(name, { ...planned, requests: [...planned.requests, index] })
    }
    const withdrawn = withdrawalCalls(memory, names, state).map((planned) => ({ ...planned, requests: [] }))
    return { outcomes, calls: linked([...withdrawn, ...calls.values()], input), unmet }
  },
  withdraw: {
    isInEffect: (memory) => unrequestedIn(memory, []).length > 0,
    needs: ['state'],
    calls({ memory, page, facts: { state } }) {
      const calls = linked(withdrawalCalls(memory, [], state), { page })
      if (calls.length === 0) return nothingToDo(`it is ${state}`)
      const names = unrequestedIn(memory, []).map(([name]) => name)
      return {
        result: 'call',
        detail: `end the success of the status ${names.join(', ')}: no rule sets it any more`,
        calls,
      }
    },
  },
  remember(memory, { memo }, certain) {
    if (!isMap(memo) || typeof memo.name !== 'string' || !isMap(memo.posted)) return memory
    const { [memo.name]: before, ...others } = postedIn(memory)
    const posted = memo.posted as unknown as Posted
    const kept = certain ? posted : afterLostResponse(before, posted)
    return postedStatuses.put(memory, kept === undefined ? others : { ...others, [memo.name]: kept })
  },
})

/**
 * After a lost response, the status is set again in any case: at most, the service refuses a state that it has. Success
 * that may be there is withdrawn as failed, which the service accepts twice.
 */
function afterLostResponse(before: Posted | undefined, posted: Posted): Posted | undefined {
  const success = [posted, before].find((each) => each?.state === 'success')
  return success === undefined ? undefined : { ...success, unmet: 'failed', isUncertain: true }
}
