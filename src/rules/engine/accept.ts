// What only accept needs of the engine: merge queues, conditions that are read last, and what keeps an earlier merge in effect.
import { type AcceptArgs, withinRule } from '../actions/definition/accept-arguments.ts'
import { closesNoHidden } from '../actions/definition/accept-conditions.ts'
import { acceptMemory } from '../actions/definition/accept-memory.ts'
import type { Action, ActionOutcome, QueueTerms } from '../actions/definition/action.ts'
import { removalNow, sayRemoval } from '../actions/definition/merge-queue-calls.ts'
import { keepsKind } from '../actions/definition/queued-merge.ts'
import { keepsWait } from '../actions/definition/waiting-merge.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import { createPatternBudgets } from '../language/patterns/pattern-budget.ts'
import { queueFor, type TargetQueue } from '../language/queues.ts'
import type { Condition, Json } from '../language/values/rule-types.ts'
import type { DecideInput, Memory, SourceName } from '../types.ts'
import { compileCondition } from './conditions/compiled-conditions.ts'
import { createEvaluation, evaluateCondition } from './conditions/condition-evaluation.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'

type Named = Pick<Action, 'name'>

export const isAccept = ({ name }: Named): boolean => name === 'accept'

/**
 * Further conditions, which are read only where those of the action are met, or it may be in effect: they cost more, and
 * are seldom false. Then it ends.
 */
export const conditionsReadLast = (action: Named): readonly Condition[] => (isAccept(action) ? [closesNoHidden] : [])

/** Whether a request keeps what an earlier one put into effect. */
export const keepsEffect = (action: Named, args: Json, memory: Memory): boolean =>
  !isAccept(action) || keepsKind(args as AcceptArgs, memory)

/**
 * The same of a request whose conditions are not met: an entry stays only while all are, because the queue lands what it
 * holds.
 */
export function keepsEffectWhileUnmet(action: Named, args: Json, memory: Memory): boolean {
  if (!isAccept(action)) return true
  const asked = args as AcceptArgs
  return asked.queue === undefined && keepsKind(asked, memory) && keepsWait(asked, memory)
}

/** What is looked at of a request. */
interface Request {
  args: Json
  ofEvent: boolean
  view: FactReader
}

/** A request that is not done. */
interface Refusal {
  outcome: ActionOutcome
  isRequested: false
}

function textOf(view: FactReader, name: string): string | undefined {
  const value = view.fact(name)
  return value.is === 'known' && typeof value.value === 'string' ? value.value : undefined
}

function queueOf(input: DecideInput, view: FactReader): TargetQueue | undefined {
  const target = textOf(view, 'target_branch')
  return target === undefined ? undefined : queueFor(input.files, target)
}

/** The request with what follows from the conditions of its rule, for the queue of the target branch where that is required. */
export function completeRequest<R extends Pick<Request, 'args'> & { conditions: Condition }>(
  action: Named,
  request: R,
  input: DecideInput,
  view: FactReader,
): R {
  if (!isAccept(action)) return request
  const args = withinRule(request.args as AcceptArgs, request.conditions)
  const found = args.queue === undefined ? queueOf(input, view) : undefined
  if (found?.queue.required !== true) return { ...request, args }
  const { when: _when, ...others } = args
  return { ...request, args: { ...others, queue: found.queue.name } }
}

const queueNamed = (action: Named, args: Json): string | undefined =>
  isAccept(action) ? (args as AcceptArgs).queue : undefined

/** Blocked, and without what an earlier request put into effect. */
const refused = (detail: string): Refusal => ({ outcome: { result: 'blocked', detail }, isRequested: false })

/** Why a request may not merge by a queue; undefined where it may. */
export function refusedByQueue(
  action: Named,
  request: Request,
  input: DecideInput,
  view: FactReader,
): Refusal | { needs: SourceName[] } | undefined {
  if (!isAccept(action)) return undefined
  const removal = removalNow(input) ?? acceptMemory(input.memory).queueRemoval
  if (removal !== undefined && removal.sha === textOf(view, 'head') && !isAskedAfter(removal.at, request))
    return refused(`the merge queue removed it: ${sayRemoval(removal)}; to return: push a change, or ask again`)
  const name = queueNamed(action, request.args)
  if (name === undefined) return undefined
  const target = view.fact('target_branch')
  if (target.is === 'unread') return { needs: [target.source] }
  if (target.is === 'absent') return refused(`its target branch is unknown: ${target.reason}`)
  const found = queueFor(input.files, String(target.value))
  if (found === undefined)
    return refused(`no merge queue is for ${String(target.value)}, and the rule requests the queue ${name}`)
  if (found.queue.name !== name)
    return refused(
      `the merge queue of ${String(target.value)} is ${found.queue.name}, and the rule requests the queue ${name}`,
    )
  return refusedAsFork(found, request, view)
}

const byMaintainer: Condition = { fact: 'actor_access', operator: 'at_least', expected: 'maintainer' }

/** The code of a fork would run with the project's CI variables. Fails closed: where it is unknown, it may be a fork. */
function refusedAsFork(
  { queue }: TargetQueue,
  request: Request,
  view: FactReader,
): Refusal | { needs: SourceName[] } | undefined {
  const fork = view.fact('from_fork')
  if (fork.is === 'unread') return { needs: [fork.source] }
  if (fork.is === 'known' && fork.value === false) return undefined
  if (queue.forks === 'never' || fork.is === 'absent')
    return refused('the queue tests no forks: their code would run with the project’s CI variables')
  const needed =
    'the queue tests a fork only where a Maintainer requests it for this head, by a command or another event'
  // One for another head was refused before (movedRequest): here nobody knows for which it was.
  if (!request.ofEvent || request.view.event?.head === undefined) return refused(needed)
  const { needs, trace } = evaluateCondition(byMaintainer, request.view)
  if (needs.length > 0) return { needs }
  return trace.verdict === 'true' ? undefined : refused(needed)
}

/** Whether an event requested it after that time. */
const isAskedAfter = (at: string, { ofEvent, view }: Request) =>
  ofEvent && view.event !== undefined && Date.parse(view.event.at) > Date.parse(at)

/** What the settings of the requested queue say; undefined where no queue is requested. */
export function queueTermsFor(
  action: Named,
  { args }: Pick<Request, 'args'>,
  input: DecideInput,
  view: FactReader,
): { terms: QueueTerms; changesAt?: number } | { needs: SourceName[] } | undefined {
  const target = textOf(view, 'target_branch')
  const found = queueNamed(action, args) === undefined ? undefined : queueOf(input, view)
  if (found === undefined || target === undefined) return undefined
  const { queue, trust } = found
  const { budgets = createPatternBudgets() } = input
  const evaluation = createEvaluation(view, { budget: budgets[trust] })
  const evaluate = (condition: Condition) => evaluation.trace(compileCondition(condition), 'either')
  const priorities = queue.priority.map((each) => ({ is: each.is, result: evaluate(each.if) }))
  const freezes = queue.freeze.map((each) => ({
    applies: evaluate(each.if),
    except: each.except === undefined ? undefined : evaluate(each.except),
  }))
  const results: ConditionResult[] = [
    ...priorities.map(({ result }) => result),
    ...freezes.flatMap(({ applies, except }) => (except === undefined ? [applies] : [applies, except])),
  ]
  const needs = results.flatMap((each) => each.needs)
  if (needs.length > 0) return { needs }
  const changes = results.flatMap((each) => each.changesAt ?? [])
  const method = queue.land === 'push' ? view.fact('merge_method') : undefined
  if (method?.is === 'unread') return { needs: [method.source] }
  return {
    terms: {
      name: queue.name,
      target,
      land: queue.land,
      pushesHeads: method !== undefined && (method.is === 'absent' || method.value === 'merge'),
      priority: priorities.find(({ result }) => result.trace.verdict === 'true')?.is ?? 0,
      ...freezeOf(freezes),
    },
    ...(changes.length === 0 ? {} : { changesAt: Math.min(...changes) }),
  }
}

interface Freeze {
  applies: ConditionResult
  except: ConditionResult | undefined
}

/** Frozen by any of them, until the last of those may end; unknown where one changes by no clock. */
function freezeOf(freezes: readonly Freeze[]): Pick<QueueTerms, 'frozen' | 'frozenUntil'> {
  // Fails closed: a freeze that is unknown freezes, and an unknown exception does not except.
  const present = freezes.filter(
    ({ applies, except }) => applies.trace.verdict !== 'false' && except?.trace.verdict !== 'true',
  )
  const ends = present.map(({ applies, except }) =>
    Math.min(...[applies, except].map((each) => each?.changesAt ?? Number.POSITIVE_INFINITY)),
  )
  const last = Math.max(...ends)
  return { frozen: present.length > 0, ...(Number.isFinite(last) ? { frozenUntil: new Date(last).toISOString() } : {}) }
}
