// One merge request as the rules see it: every fact by name, read once from the answers at hand.
import type { Tolerant } from '../api/endpoint.ts'
import type { Fact, FactView, Reading } from './fact.ts'
import { facts } from './facts/index.ts'
import type { Source } from './sources.ts'
import type { DecideInput, FactValue } from './types.ts'

export interface View {
  fact(name: string): FactValue
}

/** The fact of that name, for names that come from outside. */
export function factNamed(name: string): Fact | undefined {
  return Object.hasOwn(facts, name) ? (facts as Record<string, Fact>)[name] : undefined
}

function readSource<B>(input: DecideInput, source: Source<B>): Reading<B> {
  const answer = Object.hasOwn(input.answers, source.name) ? input.answers[source.name] : undefined
  if (answer === undefined) {
    if (source.params(input.mergeRequest, input.answers) === null) return { is: 'absent', reason: 'it cannot be asked for' }
    return { is: 'unread', source: source.name }
  }
  if (!answer.ok) return { is: 'absent', reason: answer.reason }
  const { body } = answer
  const readable = source.list ? Array.isArray(body) : typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!readable) return { is: 'absent', reason: 'the hosting service’s answer cannot be read' }
  const tolerant = body as Tolerant<B>
  return { is: 'read', body: tolerant, complete: answer.complete && source.complete(tolerant) }
}

/** A view of what is known at this point; facts whose source was not read say which one it is. */
export function createView(input: DecideInput): View {
  const seen = new Map<string, FactValue>()
  const { memory, now, bot, project } = input
  const factView: FactView = { memory, now, bot, project, source: (source) => readSource(input, source) }
  return {
    fact(name) {
      const before = seen.get(name)
      if (before !== undefined) return before
      const value = factNamed(name)?.read(factView) ?? { is: 'absent', reason: 'there is no such fact' }
      seen.set(name, value)
      return value
    },
  }
}
