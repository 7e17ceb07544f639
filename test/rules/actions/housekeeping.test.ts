// housekeeping: one call for each event; the operator's policy may deny it like any action.
import { describe, expect, it } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { projectRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { decided, file, input } from '../world.ts'

const text =
  'rules:\n  - name: tidy\n    on: tag_push\n    if: { ref: { glob: "v*" }, project_visibility: private }\n    then: { housekeeping: true }\n'
const event = (ref: string) => ({
  id: 'd1',
  event: { kind: 'tag_push', actor: { id: 2 }, at: '2026-01-11T00:00:00Z', ref },
})
const decide = (ref: string, options: object = {}) =>
  decided(
    input([file(text, { trust: 'repository' })], {
      mergeRequest: projectRef('test', 1),
      events: [event(ref)],
      ...options,
    }),
  )

describe('housekeeping', () => {
  it('is started where facts of the event and of the project say so', () => {
    expect(decide('v1.0').calls).toMatchObject([{ endpoint: 'projects.housekeeping', params: { id: 1 } }])
    expect(decide('x1.0').calls).toEqual([])
  })
  it('that runs already is as good as done', () => {
    expect(api.projects.housekeeping.means).toEqual({ 409: 'already' })
  })
  it('is denied by a policy that does not name it', () => {
    const denied = decide('v1.0', { policy: { mode: 'act', allows: ['label'] } })
    expect(denied.calls).toEqual([])
    expect(denied.rules[0]?.actions).toMatchObject([
      { result: 'blocked', detail: expect.stringContaining('policy does not allow housekeeping') },
    ])
  })
  it('is only shown where the project observes', () => {
    const observed = decide('v1.0', { policy: { mode: 'observe' } })
    expect(observed).toMatchObject({ calls: [], dryRunCalls: [{ endpoint: 'projects.housekeeping' }] })
  })
})
