// Facts that never change for one merge request: known before it is read, they can show that no rule matches, without a call (DESIGN §2.2, §4 Facts).

import type { Json } from '../../language/values/rule-types.ts'
import type { DecideInput, Memory, StableFacts } from '../../types.ts'
import type { Fact } from '../definition/fact.ts'
import { parseTime } from '../definition/parse-time.ts'
import { sources } from '../definition/sources.ts'
import { isProject, numberOf } from '../definition/subject-ref.ts'
import { facts } from '../index.ts'

const stable = Object.entries<Fact>(facts as Record<string, Fact>).filter(
  ([, { stable: is, from }]) => is === true && from.every((name) => name === sources.mergeRequest.name),
)
// Users can be renamed: what was read is valid for a day.
const validForMs = 24 * 60 * 60_000
// Longer texts are not kept.
const longest = 500

/** The stable facts in the body of a merge request or of a delivery. Values of another type are left out. */
export function stableFacts(body: unknown): StableFacts {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const view = {
    mergeRequest: { service: '', project: 0, iid: 0 },
    memory: { rules: {}, pushes: [] },
    now: '',
    bot: { id: 0, username: '' },
    project: { mergeRequestPipelines: false },
    source: () => ({ is: 'read' as const, body: body as never, complete: true }),
  }
  const said = stable.flatMap(([name, fact]): [string, Json][] => {
    const value = fact.read(view)
    if (value.is !== 'known' || (typeof value.value === 'string' && value.value.length > longest)) return []
    return [[name, value.value]]
  })
  return Object.fromEntries(said)
}

/** The stable facts before the merge request is read, from the last day's memory and the deliveries. Contradicting values are left out. */
export function knownBefore({
  mergeRequest,
  memory,
  events,
  now,
}: Pick<DecideInput, 'mergeRequest' | 'memory' | 'events' | 'now'>): StableFacts {
  if (isProject(mergeRequest)) return {}
  const age = (parseTime(now) ?? Number.NaN) - (parseTime(memory.stable?.at) ?? Number.NaN)
  const said = [age < validForMs ? (memory.stable?.facts ?? {}) : {}, ...events.map(({ event }) => event.stable ?? {})]
  const known = new Map<string, Json>([['iid', numberOf(mergeRequest)]])
  const doubtful = new Set<string>()
  for (const [name, value] of said.flatMap((each) => Object.entries(each))) {
    if (known.has(name) && known.get(name) !== value) doubtful.add(name)
    known.set(name, value)
  }
  return Object.fromEntries([...known].filter(([name]) => !doubtful.has(name)))
}

/** The memory with the stable facts of the body. */
export function withStable(memory: Memory, body: unknown, now: string): Memory {
  const said = stableFacts(body)
  return Object.keys(said).length === 0 ? memory : { ...memory, stable: { at: now, facts: said } }
}
