// mirror_pull: one call for each event, and again later where it was done too often at once.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { projectRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { came, decided, file, input } from '../world.ts'

const files = [file('rules:\n  - name: fetch\n    on: push\n    then: { mirror_pull: true }\n')]
const pushed = (id: string) => ({ id, event: { kind: 'push', actor: { id: 2 }, at: '2026-01-11T00:00:00Z' } })
const at = (minute: number) => new Date(Date.UTC(2026, 0, 11, 0, 0, minute * 60)).toISOString()

describe('mirror_pull', () => {
  it('that is paused after many at once is done when the pause is over, not lost', () => {
    let memory = emptyMemory()
    const decide = (minute: number) =>
      decided(
        input(files, {
          mergeRequest: projectRef('test', 1),
          memory,
          events: [pushed(`d${minute}`)],
          now: at(minute),
          answers: {},
        }),
      )
    for (let minute = 0; minute < 5; minute += 0.25) {
      const decision = decide(minute)
      expect(decision.calls).toMatchObject([{ endpoint: 'projects.mirrorPull', params: { id: 1 } }])
      memory = remember(memory, {
        ...decision,
        responses: decision.calls.map((call) => ({ ...came(call), at: at(minute) })),
      })
    }
    const paused = decide(5)
    expect(paused).toMatchObject({ calls: [], againInMs: 5 * 60_000 })
    expect(paused.rules[0]?.actions).toMatchObject([{ result: 'waits', detail: expect.stringContaining('20 times') }])
    memory = remember(memory, paused)
    const later = decided(
      input(files, { mergeRequest: projectRef('test', 1), memory, events: [pushed('d5')], now: at(11), answers: {} }),
    )
    expect(later.calls).toHaveLength(1)
  })
})
