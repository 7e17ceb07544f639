// A change of labels whose response was lost, whatever people did before and since, and however their deliveries come.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Actor, Occurrence } from '../../../../src/rules/types.ts'
import { alice, happened } from '../../over-time.ts'
import { answers, bot, came, decided, file, input, rule, rules, sent } from '../../world.ts'

/** Something that was done to the merge request, and what became of its delivery. */
interface Did {
  by: Actor
  at: number
  /** Whether the label is on since; undefined: another label was changed. */
  on?: boolean
  hook: 'lost' | 'late' | 'in time'
}

const START = Date.parse('2026-01-11T00:00:00Z')
const hook = fc.constantFrom<Did['hook']>('lost', 'late', 'in time')
/** Milliseconds after what was before. Of two changes of one label within a second a delivery cannot tell the order: they are further apart. */
const gap = fc.integer({ min: 1_001, max: 5_000 })
const others = fc.array(fc.record({ after: gap, hook, changes: fc.boolean() }), { maxLength: 3 })

const told = ({ by, at, on, hook: came }: Did, index: number): Occurrence => {
  const name = on === undefined ? 'other' : 'x'
  const labels = on === false ? { added: [], removed: [name] } : { added: [name], removed: [] }
  const seconds = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return happened('merge_request.update', `${came} ${index}`, {
    actor: by,
    changed: ['labels'],
    labels: { ...labels, at: seconds },
  })
}

interface Story {
  /** Bellhop puts the label on, or takes it off. */
  puts: boolean
  before: readonly { after: number; hook: Did['hook']; changes: boolean }[]
  call: { came: boolean; after: number; hook: Did['hook'] }
  since: readonly { after: number; hook: Did['hook']; changes: boolean }[]
  order: readonly number[]
}
const secondOf = (time: number) => Math.floor(time / 1_000)

const story: fc.Arbitrary<Story> = fc.record({
  puts: fc.boolean(),
  before: others,
  // At once after the last change, perhaps.
  call: fc.record({ came: fc.boolean(), after: fc.integer({ min: 1, max: 2_000 }), hook }),
  since: others,
  order: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
})

/** What Bellhop sends once it looks again, and what had happened by then. */
function lookAgain({ puts, before, call, since, order }: Story) {
  const did: Did[] = []
  let at = START
  // Each person's change turns it round, so that it is as the rule does not want it when it is evaluated.
  let on = before.filter(({ changes }) => changes).length % 2 === 0 ? !puts : puts
  const act = (by: Actor, after: number, hook: Did['hook'], changes: boolean, to = !on) => {
    at += after
    if (changes) on = to
    did.push({ by, at, hook, ...(changes ? { on: to } : {}) })
  }
  for (const each of before) act(alice, each.after, each.hook, each.changes)
  const evaluatedAt = at
  const heard = did.map(told).filter(({ id }) => id.startsWith('in time'))
  const state = (labels: boolean, updated: number) =>
    answers({ labels: labels ? ['x'] : [], updated_at: new Date(updated).toISOString() })
  const files = [file(rules(rule('{ state: opened }', `{ label: { ${puts ? 'add' : 'remove'}: x } }`)))]
  const first = decided(
    input(files, { answers: state(on, evaluatedAt), events: heard, now: new Date(at).toISOString() }),
  )
  const memory = remember(emptyMemory(), { ...first, responses: first.calls.map((each) => came(each, 'ambiguous')) })
  if (call.came) act(bot, call.after, call.hook, true)
  for (const each of since) act(alice, each.after, each.hook, each.changes)
  const place = (index: number) => order[index % order.length] ?? 0
  const later = did
    .map(told)
    .filter(({ id }) => !heard.some((each) => each.id === id) && !id.startsWith('lost'))
    .map((each, index) => ({ each, index }))
    .sort((one, other) => place(one.index) - place(other.index))
    .map(({ each }) => each)
  const events = [...heard, ...later]
  const second = decided(
    input(files, { memory, answers: state(on, at), events, now: new Date(START + 3_600_000).toISOString() }),
  )
  // As they are told, oldest mail first: those that are of a later second than what was evaluated, and Bellhop's own also of the same.
  const news = later
    .filter(({ event: { labels, actor } }) => {
      const seconds = secondOf(Date.parse(labels?.at.replace(' UTC', 'Z') ?? '')) - secondOf(evaluatedAt)
      return (labels?.added.includes('x') || labels?.removed.includes('x')) && seconds >= (actor === bot ? 0 : 1)
    })
    .map(({ event: { labels, actor } }) => ({ own: actor === bot, on: labels?.added.includes('x') === true }))
  return { sends: sent(second).length, isWanted: on === puts, news }
}

describe('a change of labels whose response was lost', () => {
  it('is sent again where it never came and nobody did it since, whatever comes late of what was before', () => {
    fc.assert(
      fc.property(story, ({ since, call, ...rest }) => {
        const { sends } = lookAgain({
          ...rest,
          call: { ...call, came: false },
          since: since.map((each) => ({ ...each, changes: false })),
        })
        return sends === 1
      }),
      { numRuns: 500 },
    )
  })
  it('is not sent again where it was applied and somebody undid it, and its own delivery or the first one shows that', () => {
    fc.assert(
      fc.property(story, ({ call, ...rest }) => {
        const { sends, isWanted, news } = lookAgain({ ...rest, call: { ...call, came: true } })
        const [first] = news
        fc.pre(!isWanted && (news.some(({ own }) => own) || (first !== undefined && first.on !== rest.puts)))
        return sends === 0
      }),
      { numRuns: 500 },
    )
  })
  it('is sent again where it was never applied, no matter what others did with the label, when deliveries come in order', () => {
    const inOrder = story.map((each) => ({
      ...each,
      order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      call: { ...each.call, came: false },
    }))
    fc.assert(
      fc.property(inOrder, ({ since, ...rest }) => {
        const { sends, isWanted } = lookAgain({ ...rest, since: since.map((each) => ({ ...each, hook: 'in time' })) })
        return sends === (isWanted ? 0 : 1)
      }),
      { numRuns: 500 },
    )
  })
})

/** What others do with the other label of the same call, and with one that is in none. */
const toggles = fc.array(fc.record({ after: gap, name: fc.constantFrom('y', 'z'), hook }), { maxLength: 5 })

describe('a change of two labels whose response was lost, and which never came', () => {
  it('is sent again for the untouched label, no matter what others do with the other one and which deliveries come', () => {
    fc.assert(
      fc.property(toggles, (did) => {
        const files = [file(rules(rule('{ state: opened }', '{ label: { add: [x, y] } }')))]
        const state = (labels: string[], updated: number) =>
          answers({ labels, updated_at: new Date(updated).toISOString() })
        const first = decided(input(files, { answers: state([], START), now: new Date(START).toISOString() }))
        const memory = remember(emptyMemory(), {
          ...first,
          responses: first.calls.map((each) => came(each, 'ambiguous')),
        })
        const on = new Set<string>()
        let at = START
        const events = did.flatMap(({ after, name, hook: is }, index) => {
          at += after
          const labels = on.delete(name) ? { added: [], removed: [name] } : { added: [name], removed: [] }
          if (labels.added.length > 0) on.add(name)
          const event = { actor: alice, changed: ['labels'], labels: { ...labels, at: new Date(at).toISOString() } }
          return is === 'lost' ? [] : [happened('merge_request.update', `d${index}`, event)]
        })
        const now = new Date(START + 3_600_000).toISOString()
        const second = decided(input(files, { memory, answers: state([...on], at), events, now }))
        return sent(second).some(([, params]) =>
          String((params as { add_labels?: string }).add_labels)
            .split(',')
            .includes('x'),
        )
      }),
      { numRuns: 500 },
    )
  })
})
