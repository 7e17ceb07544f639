// Observe: reads what decide still needs, cheapest source first, until it can decide (DESIGN §2.4).
import type { CallOptions, Client } from '../client/create-client.ts'
import { type DecideInput, decide, decideCalls } from '../rules/decide.ts'
import { answersOfOtherVersions } from '../rules/evaluated-version.ts'
import { isProject } from '../rules/project-ref.ts'
import { boundSource, instanceOf, sourceNamed } from '../rules/sources.ts'
import type { Call, Decision, SourceAnswer, SourceName } from '../rules/types.ts'
import { isAbsentForGood } from './outcome.ts'
import { freeWork } from './pattern-allowance.ts'
import { patternTurns } from './pattern-turns.ts'

// A branch that moves more often than this between reads leaves what was read of another version unknown.
const mostRestarts = 2
// A list longer than this is cut; decide is told that it is not complete.
const maxPages = 20

export type Observation = Omit<DecideInput, 'answers'>

/** A decision with the answers that it was made of. */
export interface Judged {
  decision: Decision
  input: DecideInput
}

/** Called after the merge request itself was read, for what is remembered under its branch. */
export type AfterReading = (input: DecideInput) => Promise<DecideInput>

/** Reads and decides; from the beginning where the merge request moved between two reads. Throws what the client throws, except "absent for good" (403, 404), which is an answer as well. */
export async function judge(client: Client, observation: Observation, afterReading: AfterReading): Promise<Judged> {
  const begin = (): DecideInput => ({ ...observation, answers: {}, work: observation.work ?? freeWork() })
  let input = begin()
  let restarts = 0
  for (;;) {
    const given = input
    const result = await patternTurns.run(() => decide(given))
    if ('decision' in result) return { decision: result.decision, input }
    const [cheapest] = result.needs
    // The merge request first: a push between two readings must leave the older head in the calls, where the sha guard refuses it.
    const next = boundSource in input.answers || isProject(input.mergeRequest) ? cheapest : boundSource
    if (next === undefined) throw new Error('decide needs something, but names no source')
    if (next in input.answers) throw new Error(`decide asks again for ${next}, which was read`)
    input = await withAnswer(client, input, next, { anew: restarts > 0 })
    if (next === boundSource) input = await afterReading(input)
    if (restarts >= mostRestarts || answersOfOtherVersions(input).length === 0) continue
    restarts++
    input = begin()
  }
}

/** Reads again all that a decision was made of, the merge request last, and gives the calls that it would lead to now; undefined when that needs more than was read. */
export async function judgeAgain(client: Client, judged: Judged, afterReading: AfterReading): Promise<Call[] | undefined> {
  const names = Object.keys(judged.input.answers)
  const others = names.filter((name) => name !== boundSource)
  let input = judged.input
  // What merges rests on whole answers: a tag says that a body is the same only as far as the service looks.
  for (const name of others) input = await withAnswer(client, input, name, { anew: true })
  input = await afterReading(await withAnswer(client, input, boundSource, { anew: true }))
  const given = input
  const result = await patternTurns.run(() => decideCalls(given))
  return 'calls' in result ? result.calls : undefined
}

/** The merge request as it was read; nothing where it was not. */
export function mergeRequestIn({ answers }: DecideInput): Record<string, unknown> {
  const answer = answers[boundSource]
  return answer?.ok === true && typeof answer.body === 'object' && answer.body !== null ? { ...answer.body } : {}
}

/** The input with one more answer. */
export async function withAnswer(client: Client, input: DecideInput, name: SourceName, options: Reading = {}): Promise<DecideInput> {
  return { ...input, answers: { ...input.answers, [name]: await read(client, input, name, options) } }
}

type Reading = Pick<CallOptions, 'anew'>

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
    if (isAbsentForGood(error)) return { ok: false, reason: error.message, ...(error.status === undefined ? {} : { status: error.status }) }
    throw error
  }
}

async function readPages(client: Client, endpoint: string, params: Record<string, unknown>, options: Reading): Promise<SourceAnswer> {
  const { items, complete } = await client.pages(endpoint, params, { maxPages, ...options }).collect()
  return { ok: true, body: items, complete }
}
