// The newest change by anyone but Bellhop, as the events tell it.
import { expect, it } from 'vitest'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { withActivity } from '../../../../src/rules/facts/activity.ts'
import { alice, happened } from '../../over-time.ts'
import { bot } from '../../world.ts'

const changed = (kind: string, day: string, actor = alice) =>
  happened(kind, day, { actor, at: `2026-01-${day}T00:00:00Z`, changed: ['labels'] })
const remembered = { ...emptyMemory(), activeAt: '2026-01-07T00:00:00Z' }

it('remembers the newest change of a person, not of Bellhop or of a pipeline', () => {
  const events = [
    changed('merge_request.update', '07'),
    changed('merge_request.update', '05'),
    changed('merge_request.update', '09', bot),
    changed('pipeline.success', '10'),
  ]
  expect(withActivity(emptyMemory(), events, bot)).toEqual(remembered)
})
it('remembers changes of an issue too', () => {
  expect(withActivity(emptyMemory(), [changed('issue.update', '07'), changed('issue.close', '08', bot)], bot)).toEqual(
    remembered,
  )
})
it('keeps what it knows where the events are older, or there is none', () => {
  expect(withActivity(remembered, [changed('note.create', '06')], bot)).toEqual(remembered)
  expect(withActivity(emptyMemory(), [], bot)).toEqual(emptyMemory())
})
