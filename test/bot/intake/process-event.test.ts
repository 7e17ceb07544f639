// Intake notes when a merge request was opened, reviewed, approved and merged, whether or not a rule may match.
import { expect, test } from 'vitest'
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { AT, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

const by = (username: string, id: number) => ({ user: { id, username } })
const action = (name: string) => ({
  ...opened,
  object_attributes: { ...opened.object_attributes, action: name },
})
const note = {
  object_kind: 'note',
  project: { id: 7 },
  object_attributes: { id: 1, noteable_type: 'MergeRequest', note: 'Nice.' },
  merge_request: { iid: 2, target_project_id: 7 },
}
const around = { since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') }

test('the times of a merge request follow from its deliveries', async () => {
  const { take } = makeIntake()
  const second = (number: number) => AT.replace(':00.000Z', `:${String(number).padStart(2, '0')}.000Z`)
  const all: [object, number][] = [
    [{ ...opened, ...by('alice', 1) }, 0],
    [{ ...note, ...by('bob', 2) }, 10],
    [{ ...action('approved'), ...by('carol', 3) }, 20],
    [{ ...action('merge'), ...by('bob', 2) }, 30],
  ]
  for (const [payload, at] of all) await take(payload, undefined, { receivedAt: second(at) })
  const at = (number: number) => Date.parse(second(number))
  expect(await stores.journal.mergeRequests.times(around, 9)).toEqual([
    {
      mergeRequest: { project: 7, iid: 2 },
      times: {
        opened: { at: at(0), by: 'alice' },
        reviews: [
          { at: at(10), by: 'bob' },
          { at: at(20), by: 'carol' },
        ],
        approvals: [{ at: at(20), by: 'carol' }],
        ...{ merged: at(30), waits: [] },
      },
    },
  ])
})

test('a delivery that is refused, as with the secret of another project, tells no times', async () => {
  const { take } = makeIntake()
  await take({ ...action('merge'), ...by('bob', 2) }, undefined, { secretProject: 8 })
  expect(await stores.journal.mergeRequests.times(around, 9)).toEqual([])
})
