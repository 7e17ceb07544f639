// Facts that stay as they are for one merge request: what is known of them before it is read can settle that no rule holds, without a call (DESIGN §2.2, §4 Facts).

import type { Json } from '../../language/values/rule-types.ts'
import type { DecideInput, Memory, StableFacts } from '../../types.ts'
import type { Fact } from '../definition/fact.ts'
import { parseTime } from '../definition/parse-time.ts'
import { isProject } from '../definition/project-ref.ts'
import { sources } from '../definition/sources.ts'
import { facts } from '../index.ts'

const stable = Object.entries<Fact>(facts as Record<string, Fact>).filter(
  ([, { stable: is, from }]) => is === true && from.every((name) => name === sources.mergeRequest.name),
)
// A user may be given another name: what was read is believed for a day.
const believedForMs = 24 * 60 * 60_000
// A longer text is not kept, but read when it is asked for.
const longest = 500

/** What a merge request's body, or the part of one that a delivery has, says of them, by name. Values of another type than the fact's are left out. */
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

/** What is known of them before the merge request is read: as it was read within a day, else as deliveries say; where these differ, nothing. */
export function knownBefore({
  mergeRequest,
  memory,
  events,
  now,
}: Pick<DecideInput, 'mergeRequest' | 'memory' | 'events' | 'now'>): StableFacts {
  if (isProject(mergeRequest)) return {}
  const age = (parseTime(now) ?? Number.NaN) - (parseTime(memory.stable?.at) ?? Number.NaN)
  const said = [
    age < believedForMs ? (memory.stable?.facts ?? {}) : {},
    ...events.map(({ event }) => event.stable ?? {}),
  ]
  const known = new Map<string, Json>([['iid', mergeRequest.iid]])
  const doubtful = new Set<string>()
  for (const [name, value] of said.flatMap((each) => Object.entries(each))) {
    if (known.has(name) && known.get(name) !== value) doubtful.add(name)
    known.set(name, value)
  }
  return Object.fromEntries([...known].filter(([name]) => !doubtful.has(name)))
}

/** The memory with what the merge request's body says of them; the same where it was not read. */
export function withStable(memory: Memory, body: unknown, now: string): Memory {
  const said = stableFacts(body)
  return Object.keys(said).length === 0 ? memory : { ...memory, stable: { at: now, facts: said } }
}
