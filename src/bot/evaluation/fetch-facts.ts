// Fetches the facts that decide still needs, cheapest source first, until it can decide (DESIGN §2.4).
import type { CallOptions, Client } from '../../client/create-client.ts'
import { type DecideInput, decide, decideCalls } from '../../rules/engine/decide.ts'
import { isProject } from '../../rules/facts/definition/project-ref.ts'
import { instanceOf, mergeRequestSource, sourceNamed } from '../../rules/facts/definition/sources.ts'
import { answersOfOtherVersions } from '../../rules/facts/reading/evaluated-version.ts'
import type { Call, Decision, SourceAnswer, SourceName } from '../../rules/types.ts'
import { isAbsentForGood } from '../service/error-verdict.ts'
import { freeWork } from './pattern-allowance.ts'
import { patternSlices } from './pattern-slices.ts'

// After as many restarts, facts of another version stay unknown.
const mostRestarts = 2
// Longer lists are cut and marked as incomplete.
const maxPages = 20

export type Observation = Omit<DecideInput, 'answers'>

/** A decision and the responses it was made from. */
export interface DecisionWithFacts {
  decision: Decision
  input: DecideInput
}

/** Called once the merge request is read. */
export type AfterReading = (input: DecideInput) => Promise<DecideInput>

/**
 * Starts again where the merge request moved between two reads. Throws what the client throws; 403 and 404 are
 * answers.
 */
export async function decideWithFacts(
  client: Client,
  observation: Observation,
  afterReading: AfterReading,
): Promise<DecisionWithFacts> {
  const begin = (): DecideInput => ({ ...observation, answers: {}, work: observation.work ?? freeWork() })
  let input = begin()
  let restarts = 0
  for (;;) {
    const given = input
    const result = await patternSlices.run(() => decide(given))
    if ('decision' in result) return { decision: result.decision, input }
    const [cheapest] = result.needs
    // The merge request first: after a push in between, the calls then name the older head, and the sha guard refuses them.
    const next = mergeRequestSource in input.answers || isProject(input.mergeRequest) ? cheapest : mergeRequestSource
    if (next === undefined) throw new Error('decide needs something, but names no source')
    if (next in input.answers) throw new Error(`decide asks again for ${next}, which was read`)
    input = await withAnswer(client, input, next, { bypassCache: restarts > 0 })
    if (next === mergeRequestSource) input = await afterReading(input)
    if (restarts >= mostRestarts || answersOfOtherVersions(input).length === 0) continue
    restarts++
    input = begin()
  }
}

/**
 * Reads everything again, the merge request last, and returns the calls it would lead to; undefined when that needs
 * more sources.
 */
export async function decideAgain(
  client: Client,
  decided: DecisionWithFacts,
  afterReading: AfterReading,
): Promise<Call[] | undefined> {
  const names = Object.keys(decided.input.answers)
  const others = names.filter((name) => name !== mergeRequestSource)
  let input = decided.input
  // A merge rests on whole responses: an ETag says "unchanged" only as far as the service looks.
  for (const name of others) input = await withAnswer(client, input, name, { bypassCache: true })
  input = await afterReading(await withAnswer(client, input, mergeRequestSource, { bypassCache: true }))
  const given = input
  const result = await patternSlices.run(() => decideCalls(given))
  return 'calls' in result ? result.calls : undefined
}

/** The merge request as read; empty where it was not. */
export function mergeRequestIn({ answers }: DecideInput): Record<string, unknown> {
  const answer = answers[mergeRequestSource]
  return answer?.ok === true && typeof answer.body === 'object' && answer.body !== null ? { ...answer.body } : {}
}

export async function withAnswer(
  client: Client,
  input: DecideInput,
  name: SourceName,
  options: Reading = {},
): Promise<DecideInput> {
  return { ...input, answers: { ...input.answers, [name]: await read(client, input, name, options) } }
}

type Reading = Pick<CallOptions, 'bypassCache'>

async function read(client: Client, input: DecideInput, name: SourceName, options: Reading): Promise<SourceAnswer> {
  const source = sourceNamed(name)
  if (source === undefined) return { ok: false, reason: `There is no source ${name}.` }
  const params = source.params(input.mergeRequest, input.answers, instanceOf(name))
  if (params === null) return { ok: false, reason: `${source.doc} It cannot be read for this merge request.` }
  try {
    if (source.paged) return await readPages(client, source.endpoint, params, options)
    const { body } = await client.send(source.endpoint, params, options)
    return { ok: true, body, complete: source.complete(body) }
  } catch (error) {
    if (isAbsentForGood(error))
      return { ok: false, reason: error.message, ...(error.status === undefined ? {} : { status: error.status }) }
    throw error
  }
}

async function readPages(
  client: Client,
  endpoint: string,
  params: Record<string, unknown>,
  options: Reading,
): Promise<SourceAnswer> {
  const { items, complete } = await client.pages(endpoint, params, { maxPages, ...options }).collect()
  return { ok: true, body: items, complete }
}
