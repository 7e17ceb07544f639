// The part of the engine that only accept needs: merge queues, conditions read last, and when an earlier merge stays.
import { type AcceptArgs, closesNoHidden, withinRule } from '../actions/definition/accept-conditions.ts'
import { acceptMemory, keepsWait } from '../actions/definition/accept-memory.ts'
import { type Action, blockedBy, type QueueTerms } from '../actions/definition/action.ts'
import { keepsKind, removalNow, sayRemoval } from '../actions/definition/queued-merge.ts'
import { whyOld } from '../facts/definition/consent.ts'
import { knownIn, textOf } from '../facts/definition/fact.ts'
import { bodyOf } from '../facts/definition/source.ts'
import { sources } from '../facts/definition/sources.ts'
import type { FactReader, ViewedInput } from '../facts/reading/fact-view.ts'
import { createPatternBudgets } from '../language/patterns/pattern-budget.ts'
import { queueFor, type TargetQueue } from '../language/target-queue.ts'
import { harmless } from '../language/templates.ts'
import { type Freeze, isFrozen, sayFreeze } from '../language/values/freezes.ts'
import type { Condition, Json } from '../language/values/rule-types.ts'
import type { DecideInput, Memory, SourceName } from '../types.ts'
import {
  type ConditionResult,
  compileCondition,
  createEvaluation,
  evaluateCondition,
} from './conditions/evaluate-condition.ts'

type Named = Pick<Action, 'name'>

export const isAccept = ({ name }: Named): boolean => name === 'accept'

/**
 * Further conditions. They are read only if those of the action are met, or it may be in effect: they cost more and are
 * seldom false. If one is false, an earlier effect ends.
 */
export const conditionsReadLast = (action: Named): readonly Condition[] => (isAccept(action) ? [closesNoHidden] : [])

/** Whether a request keeps what an earlier one put into effect. */
export const keepsEffect = (action: Named, args: Json, memory: Memory): boolean =>
  !isAccept(action) || keepsKind(args as AcceptArgs, memory)

/**
 * Whether a request whose conditions are not met keeps an earlier effect. A queue entry stays only while all are met,
 * because the queue lands its entries.
 */
export function keepsEffectWhileUnmet(action: Named, args: Json, memory: Memory): boolean {
  if (!isAccept(action)) return true
  const asked = args as AcceptArgs
  return asked.queue === undefined && keepsKind(asked, memory) && keepsWait(asked, memory)
}

interface Request {
  args: Json
  ofEvent: boolean
  view: FactReader
}

function queueOf({ files, view }: ViewedInput): TargetQueue | undefined {
  const target = textOf(view.fact('target_branch'))
  return target === undefined ? undefined : queueFor(files, target)
}

/** The request with what follows from its rule's conditions, and for the queue of the target branch if required. */
export function completeRequest<R extends Pick<Request, 'args'> & { conditions: Condition }>(
  action: Named,
  request: R,
  input: ViewedInput,
): R {
  if (!isAccept(action)) return request
  const args = withinRule(request.args as AcceptArgs, request.conditions)
  const found = args.queue === undefined ? queueOf(input) : undefined
  if (found?.queue.required !== true) return { ...request, args }
  const { when: _when, ...others } = args
  return { ...request, args: { ...others, queue: found.queue.name } }
}

/** A blocked request, which also ends an earlier effect. */
export const refused = (detail: string) => ({ outcome: blockedBy(detail), isRequested: false })
type Refusal = ReturnType<typeof refused> | { needs: SourceName[] }

/** Why a request may not merge by a queue; undefined if it may. */
export function refusedByQueue(action: Named, request: Request, input: ViewedInput): Refusal | undefined {
  if (!isAccept(action)) return undefined
  const { view } = input
  const returns = input.queueEntry?.returned === true
  const removal = removalNow(input) ?? (returns ? undefined : acceptMemory(input.memory).queueRemoval)
  if (removal !== undefined && removal.sha === textOf(view.fact('head')) && !isAskedAfter(removal.at, request))
    return refused(`the merge queue removed it: ${sayRemoval(removal)}; to return: push a change, or ask again`)
  const name = (request.args as AcceptArgs).queue
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

/** The code of a fork would run with the project's CI variables. Fails closed: if it is unknown, it may be a fork. */
function refusedAsFork({ queue }: TargetQueue, request: Request, view: FactReader): Refusal | undefined {
  const fork = view.fact('from_fork')
  if (fork.is === 'unread') return { needs: [fork.source] }
  if (knownIn(fork) === false) return undefined
  if (queue.forks === 'never' || fork.is === 'absent')
    return refused('the queue tests no forks: their code would run with the project’s CI variables')
  const needed =
    'the queue tests a fork only where a Maintainer requests it for this head, by a command or another event'
  // A request for another head was refused before (movedRequest). Without a head, it is unknown which one was meant.
  if (!request.ofEvent || request.view.event?.head === undefined) return refused(needed)
  const byMaintainer: Condition = { fact: 'actor_access', operator: 'at_least', expected: 'maintainer' }
  const { needs, trace } = evaluateCondition(byMaintainer, request.view)
  if (needs.length > 0) return { needs }
  return trace.verdict === 'true' ? undefined : refused(needed)
}

/** Why a merge is refused whose required approvals are for other content, which the service still counts. */
export function refusedByOldApprovals(action: Named, { memory, bot, answers }: DecideInput): Refusal | undefined {
  if (!isAccept(action) || memory.oldApprovals === undefined) return undefined
  const { name } = sources.approvals
  if (!Object.hasOwn(answers, name)) return { needs: [name] }
  const body = bodyOf(sources.approvals, answers[name])
  // Fails closed: approvals of other content may be counted.
  if (body === undefined) return refused('whether approvals are of the present content is unknown')
  const why = (body.approvals_required ?? 0) > 0 ? whyOld(body, { memory, bot }) : undefined
  return why === undefined ? undefined : refused(why)
}

const isAskedAfter = (at: string, { ofEvent, view }: Request) =>
  ofEvent && view.event !== undefined && Date.parse(view.event.at) > Date.parse(at)

/** The freeze by hand that holds the merge. Fails closed: labels that are unknown make no exception. */
function freezeByHand({ freeze, now, view }: ViewedInput): { freeze?: Freeze } | { needs: SourceName[] } {
  if (!isFrozen(freeze, now)) return {}
  if (freeze.except.length === 0) return { freeze }
  const labels = view.fact('labels')
  if (labels.is === 'unread') return { needs: [labels.source] }
  const isExcepted = labels.is === 'known' && [labels.value].flat().some((each) => freeze.except.includes(String(each)))
  return isExcepted ? {} : { freeze }
}

/**
 * Why a merge without a queue waits for the end of a freeze by hand; undefined if it does not. One that waits at the
 * service is withdrawn. Entries of a queue stay, and are tested.
 */
export function heldByFreeze(action: Named, { args }: Pick<Request, 'args'>, input: ViewedInput) {
  if (!isAccept(action) || (args as AcceptArgs).queue !== undefined) return undefined
  const held = freezeByHand(input)
  if ('needs' in held) return held
  if (held.freeze === undefined) return undefined
  const outcome = { ...blockedBy(sayFreeze(held.freeze)), waitsFor: 'freeze' as const }
  return { outcome, isRequested: false, changesAt: Date.parse(held.freeze.until) }
}

/** A freeze by hand as one of the rules. */
const whileFrozen = ({ until }: Freeze): ConditionResult => ({
  trace: { condition: 'freeze', verdict: 'true', expected: 'no freeze', actual: until },
  ...{ needs: [], changesAt: Date.parse(until) },
})

/** What the settings of the requested queue say; undefined if no queue is requested. */
export function queueTermsFor(
  action: Named,
  { args }: Pick<Request, 'args'>,
  input: ViewedInput,
): { terms: QueueTerms; changesAt?: number } | { needs: SourceName[] } | undefined {
  if (!isAccept(action) || (args as AcceptArgs).queue === undefined) return undefined
  const { view, budgets = createPatternBudgets() } = input
  const target = textOf(view.fact('target_branch'))
  const found = queueOf(input)
  if (found === undefined || target === undefined) return undefined
  const { queue, trust } = found
  const evaluation = createEvaluation(view, { budget: budgets[trust] })
  const evaluate = (condition: Condition) => evaluation.trace(compileCondition(condition), 'either')
  const priorities = queue.priority.map((each) => ({ ...each, result: evaluate(each.if) }))
  const held = freezeByHand(input)
  if ('needs' in held) return held
  const byHand = held.freeze
  const freezes = [
    ...queue.freeze.map((each) => ({ applies: evaluate(each.if), except: each.except && evaluate(each.except) })),
    ...(byHand === undefined ? [] : [{ applies: whileFrozen(byHand), except: undefined }]),
  ]
  const results: ConditionResult[] = [
    ...priorities.map(({ result }) => result),
    ...freezes.flatMap(({ applies, except }) => (except === undefined ? [applies] : [applies, except])),
  ]
  const needs = results.flatMap((each) => each.needs)
  if (needs.length > 0) return { needs }
  const changes = results.flatMap((each) => each.changesAt ?? [])
  const method = queue.land === 'push' ? view.fact('merge_method') : undefined
  if (method?.is === 'unread') return { needs: [method.source] }
  const priority = priorities.find(({ result }) => result.trace.verdict === 'true')
  return {
    terms: {
      name: queue.name,
      target,
      land: queue.land,
      pushesHeads: method !== undefined && (method.is === 'absent' || method.value === 'merge'),
      priority: priority?.is ?? 0,
      preempts: priority?.preempts === true,
      ...freezeOf(freezes),
      frozenBecause: byHand?.reason && harmless(byHand.reason),
    },
    changesAt: changes.length === 0 ? undefined : Math.min(...changes),
  }
}

/** Frozen by any of them, until the last of those may end; the end is unknown if one does not depend on the clock. */
function freezeOf(
  freezes: readonly { applies: ConditionResult; except: ConditionResult | undefined }[],
): Pick<QueueTerms, 'frozen' | 'frozenUntil'> {
  // Fails closed: a freeze that is unknown freezes, and an unknown exception does not except.
  const present = freezes.filter(
    ({ applies, except }) => applies.trace.verdict !== 'false' && except?.trace.verdict !== 'true',
  )
  const ends = present.map(({ applies, except }) =>
    Math.min(...[applies, except].map((each) => each?.changesAt ?? Number.POSITIVE_INFINITY)),
  )
  const last = Math.max(...ends)
  return { frozen: present.length > 0, frozenUntil: Number.isFinite(last) ? new Date(last).toISOString() : undefined }
}
