// star: once for each event, of the project and never of a merge request.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { projectRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { decided, file, input, rememberDone } from '../world.ts'

const pushed = (id: string) => ({
  id,
  event: { kind: 'push', actor: { id: 2, username: 'alice' }, at: '2026-01-11T00:00:00Z', ref: 'main' },
})
const files = [file('rules:\n  - name: star\n    on: push\n    if: { ref: main }\n    then: { star: true }\n')]
const mergeRequest = projectRef('test', 1)

describe('star', () => {
  it('is one call for all that happened, and no other for the same', () => {
    const given = input(files, { mergeRequest, events: [pushed('d1'), pushed('d2')], answers: {} })
    const first = decided(given)
    expect(first.calls).toMatchObject([
      { endpoint: 'projects.star', params: { id: 1 }, rules: ['rules/test.yml#star@d1', 'rules/test.yml#star@d2'] },
    ])
    const memory = rememberDone(emptyMemory(), first)
    expect(decided({ ...given, memory }).calls).toEqual([])
    expect(decided({ ...given, memory, events: [pushed('d2'), pushed('d3')] }).calls).toHaveLength(1)
  })
  it('is nothing to a merge request of the project', () => {
    expect(decided(input(files, { events: [pushed('d1')] }))).toMatchObject({ rules: [], calls: [] })
  })
  it('is not for what the bot did itself', () => {
    const own = { id: 'd1', event: { ...pushed('d1').event, actor: { id: 9, username: 'bellhop' } } }
    expect(decided(input(files, { mergeRequest, events: [own], answers: {} })).calls).toEqual([])
  })
})
