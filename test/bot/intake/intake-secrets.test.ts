// Intake of a delivery with the secret of one project: it may be about no other.
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { enqueued, green, intakesOn, opened, pushed } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

describe('a delivery with the secret of one project', () => {
  const inFork = { ...green, project: { id: 99 }, merge_request: { iid: 2, target_project_id: 7 } }
  const fromFork = {
    ...opened,
    object_attributes: { ...opened.object_attributes, source_project_id: 99, target_project_id: 7 },
  }
  const note = {
    object_kind: 'note',
    object_attributes: { id: 1, noteable_type: 'MergeRequest', note: '@bellhop merge' },
  }

  test.each([
    ['a merge request of another', { ...opened, project: { id: 8 } }, 8],
    ['one that goes into another', { ...opened, object_attributes: { iid: 2, target_project_id: 8 } }, 8],
    ['a push to another', { ...pushed, project_id: 8 }, 8],
    ['a deleted branch of another', { ...pushed, project_id: 8, after: '0'.repeat(40) }, 8],
    ['a pipeline of another', { ...green, project: { id: 8 } }, 8],
    ['a pipeline for a branch of another', { ...green, merge_request: { target_project_id: 8 } }, 8],
    ['a pipeline for a merge request of another', { ...green, merge_request: { iid: 2, target_project_id: 8 } }, 8],
    [
      'a note on a merge request of another',
      { ...note, project: { id: 7 }, merge_request: { iid: 2, target_project_id: 8 } },
      8,
    ],
    ['an event of a kind that no rule is about, of another', { object_kind: 'moonrise', project: { id: 8 } }, 8],
  ])('is refused when it is about %s: nothing is called, enqueued or stored', async (_name, payload, other) => {
    const intake = makeIntake()
    const { outcome, record } = await intake.take(payload, undefined, { secretProject: 7 })
    expect(outcome).toMatchObject({ outcome: 'done' })
    const reason = `It came with the secret of project 7, but is about project ${other}.`
    expect(record).toMatchObject({ state: 'refused', reason, secretProject: 7, mergeRequests: [] })
    expect(await enqueued(intake)).toEqual([])
    const around = { since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') }
    expect(await stores.journal.mergeRequests.times(around, 9)).toEqual([])
    for (const project of [7, 8]) {
      expect(await stores.journal.events.pending({ project, iid: 2 })).toEqual([])
      expect(await stores.journal.pushes.list({ project, branch: 'feature' })).toEqual([])
      expect(await stores.journal.marks.read(project, 'merge request pipelines')).toBeUndefined()
    }
  })

  test.each([
    ['a merge request of its own', opened, 7],
    ['a merge request that comes from a fork', fromFork, 7],
    ['a pipeline in a fork, sent by the project that it is for', inFork, 7],
  ])('is read when it is about %s', async (_name, payload, secretProject) => {
    const intake = makeIntake()
    expect((await intake.take(payload, undefined, { secretProject })).record).toMatchObject({
      state: 'read',
      secretProject,
    })
    expect(await enqueued(intake)).toEqual([2])
  })

  test('of a fork is refused when it is about the target project', async () => {
    const intake = makeIntake()
    expect((await intake.take(inFork, undefined, { secretProject: 99 })).record).toMatchObject({ state: 'refused' })
    expect(await enqueued(intake)).toEqual([])
  })

  test('stays refused when it is replayed', async () => {
    const intake = makeIntake()
    const { id } = await intake.take({ ...opened, project: { id: 8 } }, undefined, { secretProject: 7 })
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await enqueued(intake)).toEqual([])
  })
})
