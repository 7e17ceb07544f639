// Fetches the facts that decide still needs, cheapest source first, until it can decide.
import type { CallOptions, Client } from '../../client/create-client.ts'
import { InvalidCallError } from '../../client/errors.ts'
import { type DecideInput, decide } from '../../rules/engine/decide.ts'
import { NOT_SHOWN } from '../../rules/facts/definition/fact.ts'
import { groupAnswer, groupOfAnswer, isPublicGroup } from '../../rules/facts/definition/group-members.ts'
import { readCall } from '../../rules/facts/definition/source.ts'
import { instanceOf, mergeRequestSource, sourceNamed, sources } from '../../rules/facts/definition/sources.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import { answersOfOtherVersions, isOfExactVersion } from '../../rules/facts/reading/fact-view.ts'
import { createPatternBudgets } from '../../rules/language/patterns/pattern-budget.ts'
import type { Decision, SourceAnswer, SourceAnswers, SourceName } from '../../rules/types.ts'
import { readPagedChanges } from '../service/read-paged-changes.ts'
import { isMoved, isPermanentRefusal } from '../service/retry-policy.ts'
import { type AnswerCache, type AnswersOf, mergeRequestIn } from './answers.ts'
import { type BranchHistory, withHistory, withPushEvents } from './branch-history.ts'

// After as many restarts, facts of another version stay unknown.
const mostRestarts = 2
// Longer lists are cut and marked as incomplete.
const maxPages = 20
const projectName = sources.project.name

/** What is known before the service is asked. */
export type InitialInput = Omit<DecideInput, 'answers'>

/** A decision and the responses it was made from. */
export interface DecisionWithFacts {
  decision: Decision
  input: DecideInput
}

export interface DecideReading extends Reading {
  cache?: AnswerCache | undefined
  /** What was just read. */
  answers?: SourceAnswers
  /** The history of the branch. Without it, memory is as given. */
  history?: BranchHistory
}

/**
 * The one way to decide: evaluation sends the calls, and explain, dry run, what-if, backtest, the note on changed rules
 * and the check before a landing do not. Starts again if the merge request changed between two reads. A project that
 * is only cached counts if everything is read again before each call. Throws what the client throws, but for 403 and
 * 404 the facts are absent.
 */
export async function decideWithFacts(
  client: Client,
  given: InitialInput,
  { cache, bypassCache = false, answers = {}, history }: DecideReading = {},
): Promise<DecisionWithFacts> {
  const initial = { ...given, budgets: given.budgets ?? createPatternBudgets() }
  const withHistoryOf = async (input: DecideInput) => (history === undefined ? input : withHistory(input, history))
  let input: DecideInput = { ...initial, answers }
  if (mergeRequestSource in answers) input = await withHistoryOf(input)
  let restarts = 0
  let cachedProject = cache?.project(initial.mergeRequest)
  for (;;) {
    const result = decide(input)
    if ('decision' in result) {
      const { [projectName]: project, ...others } = input.answers
      const isOnlyCached = project !== undefined && project === cachedProject
      if (!isOnlyCached || isReadAgainBeforeCalls(result.decision)) return { decision: result.decision, input }
      input = { ...input, answers: others }
      cachedProject = undefined
      continue
    }
    const { answers: before } = input
    // The merge request first: after a push, the calls then name the older head, and the service refuses them.
    const needs = mergeRequestSource in before || isProject(input.mergeRequest) ? result.needs : [mergeRequestSource]
    const wanted = needs.map((name) => shownFirst(input, name))
    const readBefore = wanted.find((name) => name in before)
    if (wanted.length === 0) throw new Error('decide needs something, but names no source')
    if (readBefore !== undefined) throw new Error(`decide asks again for ${readBefore}, which was read`)
    for (const next of new Set(wanted)) {
      const known = cache?.find(input, next) ?? (next === projectName ? cachedProject : undefined)
      input =
        known === undefined
          ? await withAnswer(client, input, next, { bypassCache: bypassCache || restarts > 0, cache, history })
          : { ...input, answers: { ...input.answers, [next]: known } }
      if (next === mergeRequestSource) input = await withHistoryOf(input)
      if (next === sources.pushEvents.name) input = await withPushEvents(input, history)
      if (restarts >= mostRestarts || answersOfOtherVersions(input).length === 0) continue
      restarts++
      input = { ...initial, answers }
      break
    }
  }
}

/** What public text shows of a group, only if everybody may see the group: else its members are not even read. */
function shownFirst({ publicOnly, answers }: DecideInput, wanted: SourceName): SourceName {
  const group = publicOnly === true ? groupOfAnswer(wanted) : undefined
  return group === undefined || groupAnswer(group) in answers ? wanted : groupAnswer(group)
}

/** The merge queue reads everything again before it lands an entry. */
const isReadAgainBeforeCalls = ({ calls }: Decision) =>
  calls.length > 0 && calls.every((call) => call.revalidate === true || call.to === 'queue')

/**
 * Reads everything again except the project, by which the rules were read, the merge request, which `decideAgain` reads
 * last, and what only its version changes. What takes several calls first, so that approvals are read late.
 */
export async function readAgain(client: Client, decided: DecideInput, cache?: AnswerCache): Promise<DecideInput> {
  const readByThen: readonly SourceName[] = [projectName, mergeRequestSource]
  const cost = (name: SourceName) => sourceNamed(name)?.cost ?? 0
  const names = Object.keys(decided.answers)
    .filter((name) => !readByThen.includes(name) && !isCached(name) && !isOfExactVersion(decided, name))
    .sort((one, other) => cost(other) - cost(one))
  let input = decided
  // Without the cache: an ETag may not cover everything that a merge depends on.
  for (const name of names) input = await withAnswer(client, input, name, { bypassCache: true, cache })
  return input
}

/** Whether an answer counts for some minutes, also just before a call. */
const isCached = (name: SourceName) => sourceNamed(name)?.cachedForMs !== undefined

/**
 * Reads the merge request again, and decides at once: nothing may come between this reading and a call. Fails closed:
 * the issues that other texts close count as not read.
 */
export async function decideAgain<T>(
  client: Client,
  input: DecideInput,
  decideOn: (input: DecideInput) => T,
): Promise<T> {
  const given = await withAnswer(client, input, mergeRequestSource, { bypassCache: true })
  const texts = [input, given].map(mergeRequestIn).map(({ title, description }) => JSON.stringify([title, description]))
  const { [sources.closesIssues.name]: _ofOtherTexts, ...answers } = given.answers
  return decideOn(texts[0] === texts[1] ? given : { ...given, answers })
}

/** The input with the answer of one more source. Throws what the client throws, except 403 and 404. */
export async function withAnswer<I extends AnswersOf & Pick<DecideInput, 'publicOnly'>>(
  client: Client,
  input: I,
  name: SourceName,
  { cache, history, ...options }: Reading & Pick<DecideReading, 'cache' | 'history'> = {},
): Promise<I> {
  const isCompared = sourceNamed(name)?.comparedByGit === true
  const answer = isCompared ? await compareContent(input, name, history) : await read(client, input, name, options)
  cache?.store(input, name, answer)
  return { ...input, answers: { ...input.answers, [name]: answer } }
}

/** Whether two heads have the same content, as git compares them for the target branch of the merge request. */
async function compareContent(input: AnswersOf, name: SourceName, history: BranchHistory | undefined) {
  const [before, after] = instanceOf(name)?.split('..') ?? []
  const { target_branch: target } = mergeRequestIn(input)
  if (history === undefined || before === undefined || after === undefined || typeof target !== 'string')
    return { ok: false, reason: 'only `bellhop serve` compares content' } as const
  const isSame = await history.isSameContent({ target, before, after })
  return { ok: true, body: { isSame }, complete: true } as const
}

type Reading = Pick<CallOptions, 'bypassCache'>

async function read(
  client: Client,
  input: AnswersOf & Pick<DecideInput, 'publicOnly'>,
  name: SourceName,
  options: Reading,
): Promise<SourceAnswer> {
  const group = input.publicOnly === true ? groupOfAnswer(name) : undefined
  if (group !== undefined && !isPublicGroup(group, input.answers)) return { ok: false, reason: NOT_SHOWN }
  const source = sourceNamed(name)
  if (source === undefined) return { ok: false, reason: `There is no source ${name}.` }
  const call = readCall(source, input.mergeRequest, input.answers, instanceOf(name))
  if (call === null) return { ok: false, reason: `${source.doc} It cannot be read for this merge request.` }
  const { endpoint, params } = call
  try {
    const paged = source.pagedCalls === undefined ? undefined : await readPagedChanges(client, input, options)
    if (paged !== undefined) return paged
    if (source.paged) {
      const body: unknown[] = []
      let complete = false
      for await (const page of client.pages(endpoint, params, { maxPages: source.mostPages ?? maxPages, ...options })) {
        body.push(...page.body)
        complete = page.complete
        if (source.isEnough?.(body, input.answers) === true) break
      }
      return { ok: true, body, complete }
    }
    const { body } = await client.send(endpoint, params, options)
    return { ok: true, body, complete: source.complete(body) }
  } catch (error) {
    // A name from a repository may fit no call: that must not stop every evaluation.
    if (error instanceof InvalidCallError) return { ok: false, reason: error.message }
    if (isPermanentRefusal(error) || (isMoved(error) && typeof params.id === 'string'))
      return { ok: false, reason: error.message, status: error.status }
    throw error
  }
}
