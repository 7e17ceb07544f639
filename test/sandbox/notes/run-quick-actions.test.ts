// What quick actions do to merge requests and issues, and for whom.
import { describe, expect, test } from 'vitest'
import { eachCase, openMergeRequest, type World } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const act = (world: World, body: string, token?: string) => world.call('POST', `${mr}/notes`, { body }, token)

/** A merge request, with labels and a milestone to use. */
async function prepared(settings: Parameters<World['mergeRequest']>[0] = {}): Promise<World> {
  const world = await openMergeRequest(settings)
  for (const name of ['bug', 'two words', 'other']) await world.post('/projects/1/labels', { name, color: 'red' })
  await world.post('/projects/1/milestones', { title: 'M 1' })
  return world
}

test('quick actions alone leave no note, send no note hook, and are summarised in the response', async () => {
  const world = await prepared()
  const hooks = await world.receiver({ note_events: true, merge_requests_events: true })
  const answer = await act(world, '/label ~bug ~"two words"\n/assign @root\n/title New title')
  expect(answer.status).toBe(202)
  expect(answer.body).toEqual({
    commands_changes: { add_label_ids: [1, 2], assignee_ids: [1], title: 'New title' },
    summary: ['Added ~bug ~"two words" labels. Assigned @root. Changed the title to "New title".'],
  })
  expect(await world.get(`${mr}/notes`)).toEqual([])
  expect(await world.get(mr)).toMatchObject({
    labels: ['bug', 'two words'],
    assignee: { username: 'root' },
    title: 'New title',
  })
  await world.idle()
  expect(hooks.events()).toEqual(['merge_request update'])
})

test('other text becomes the note, without the lines of the quick actions', async () => {
  const world = await prepared()
  const hooks = await world.receiver({ note_events: true })
  const answer = await act(world, 'Fine.\n/label ~bug\n/nonsense here')
  expect([answer.status, answer.body.body]).toEqual([201, 'Fine.\n/nonsense here'])
  expect((await world.get(mr)).labels).toEqual(['bug'])
  await world.idle()
  expect(hooks.received.map(({ payload }) => payload.object_attributes.note)).toEqual(['Fine.\n/nonsense here'])
})

test('quick actions that do not apply are refused alone, and ignored among others', async () => {
  const world = await prepared()
  const refused = { message: '400 Bad request - Failed to apply commands.' }
  for (const body of [
    '/label ~missing',
    '/assign @nobody',
    '/milestone %none',
    '/reopen',
    '/ready',
    '/estimate soon',
    '/target_branch none',
  ]) {
    expect((await act(world, body)).body, body).toEqual(refused)
  }
  expect((await act(world, '/label ~missing\nText')).body.body).toBe('Text')
  expect((await act(world, '/label ~missing\n/label ~bug')).body.commands_changes).toEqual({ add_label_ids: [1] })
})

describe('fields', () => {
  test('quick actions set fields', async () => {
    const world = await prepared()
    await eachCase(
      [
        ['/label bug', { labels: ['bug'] }],
        ['/labels ~bug, ~other', { labels: ['bug', 'other'] }],
        ['/label ~bug\n/unlabel ~bug\n/label ~other', { labels: ['other'] }],
        ['/label ~bug ~other\n/unlabel', { labels: [] }],
        ['/label ~bug\n/remove_label ~bug', { labels: [] }],
        ['/label ~bug\n/relabel ~other', { labels: ['other'] }],
        ['/assign me', { assignee: { username: 'root' } }],
        ['/assign @root\n/unassign @root', { assignee: null }],
        ['/assign @root\n/unassign', { assignee: null }],
        ['/assign @root\n/unassign @ann', { assignee: { username: 'root' } }],
        ['/milestone %"M 1"', { milestone: { title: 'M 1' } }],
        ['/milestone %M 1\n/remove_milestone', { milestone: null }],
        ['/draft', { title: 'Draft: Add the feature', work_in_progress: true }],
        ['/wip\n/ready', { title: 'Add the feature', work_in_progress: false }],
        ['/lock', { discussion_locked: true }],
        ['/lock\n/unlock', { discussion_locked: false }],
        ['/close', { state: 'closed' }],
        ['/close\n/reopen', { state: 'opened' }],
      ],
      async ([body, wanted]) => {
        expect((await act(world, body)).status).toBe(202)
        expect(await world.get(mr)).toMatchObject(wanted)
        await world.put(mr, { title: 'Add the feature', labels: '', assignee_id: 0, milestone_id: 0 })
        await world.put(mr, { discussion_locked: false, state_event: 'reopen' })
      },
    )
  })

  test('another target branch', async () => {
    const world = await prepared()
    await world.write('stable', 'x.txt', 'x')
    await act(world, '/target_branch stable')
    expect(await world.get(mr)).toMatchObject({ target_branch: 'stable' })
  })
})

describe('merge requests', () => {
  test('time is estimated, spent, taken back and removed', async () => {
    const world = await prepared()
    expect((await act(world, '/estimate 1h 30m\n/spend 2h 2026-11-21\n/spend -30m')).body.summary).toEqual([
      'Set time estimate to 1h 30m. Added 2h spent time. Subtracted 30m spent time.',
    ])
    expect(await world.get(`${mr}/time_stats`)).toMatchObject({
      human_time_estimate: '1h 30m',
      human_total_time_spent: '1h 30m',
    })
    await act(world, '/remove_estimate\n/remove_time_spent')
    expect(await world.get(`${mr}/time_stats`)).toMatchObject({ time_estimate: 0, total_time_spent: 0 })
  })

  test('a megabyte of argument is refused', async () => {
    const world = await prepared()
    for (const name of ['spend', 'estimate', 'award', 'label', 'assign']) {
      expect((await act(world, `/${name} 1h${' '.repeat(900_000)}x`)).status, name).toBe(400)
    }
  })

  test('subscription, to-do and reaction belong to the author of the note', async () => {
    const world = await prepared({ project: { visibility: 'public' } })
    const ann = await world.user('ann')
    const answer = await act(world, '/subscribe\n/todo\n/award :tada:', ann.token)
    expect(answer.body.commands_changes).toEqual({
      subscription_event: 'subscribe',
      todo_event: 'add',
      emoji_award: 'tada',
    })
    expect(await world.status('POST', `${mr}/subscribe`, undefined, ann.token)).toBe(304)
    expect(await world.status('POST', `${mr}/todo`, undefined, ann.token)).toBe(304)
    expect(await world.get(`${mr}/award_emoji`)).toMatchObject([{ name: 'tada', user: { username: 'ann' } }])
    expect((await act(world, '/subscribe', ann.token)).status).toBe(400)
    await act(world, '/unsubscribe\n/award tada', ann.token)
    expect(await world.status('POST', `${mr}/unsubscribe`, undefined, ann.token)).toBe(304)
    expect(await world.get(`${mr}/award_emoji`)).toEqual([])
  })

  test('approval is given once, withdrawn, and sent as hooks', async () => {
    const world = await prepared()
    const hooks = await world.receiver({ merge_requests_events: true })
    expect((await act(world, '/approve')).body).toEqual({
      commands_changes: {},
      summary: ['Approved the current merge request.'],
    })
    expect((await act(world, '/approve')).status).toBe(400)
    expect((await act(world, '/unapprove')).status).toBe(202)
    await world.idle()
    expect(hooks.events()).toEqual(['merge_request approved', 'merge_request unapproved'])
  })

  test('merge merges, or waits for a running pipeline', async () => {
    const world = await prepared()
    const { sha } = await world.get(mr)
    await world.post(`/projects/1/statuses/${sha}`, { state: 'running', ref: 'feature' })
    expect((await act(world, '/merge')).body.commands_changes).toEqual({ merge: sha })
    expect(await world.get(mr)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    await world.post(`/projects/1/statuses/${sha}`, { state: 'success', ref: 'feature' })
    expect(await world.get(mr)).toMatchObject({ state: 'merged' })
    expect((await act(world, '/merge')).status).toBe(400)
  })

  test('merge does not merge a draft', async () => {
    const world = await prepared()
    expect((await act(world, '/draft\n/merge')).body.commands_changes).toEqual({ wip_event: 'draft' })
    expect((await world.get(mr)).state).toBe('opened')
  })
})

test('below Developer, quick actions change nothing', async () => {
  const world = await prepared({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  for (const body of [
    '/label ~bug',
    '/assign me',
    '/title T',
    '/close',
    '/lock',
    '/estimate 1h',
    '/spend 1h',
    '/approve',
    '/merge',
  ]) {
    expect((await act(world, body, ann.token)).status, body).toBe(400)
  }
  expect(await world.get(mr)).toMatchObject({
    labels: [],
    title: 'Add the feature',
    state: 'opened',
    discussion_locked: false,
  })
})

test('an issue takes the edits, and nothing that only merge requests have', async () => {
  const world = await prepared()
  await world.post('/projects/1/issues', { title: 'A' })
  const notes = '/projects/1/issues/1/notes'
  const hooks = await world.receiver({ issues_events: true, note_events: true })
  const answer = await world.call('POST', notes, {
    body: '/label ~bug\n/assign me\n/milestone %"M 1"\n/title B\n/close',
  })
  expect([answer.status, answer.body.commands_changes.state_event]).toEqual([202, 'close'])
  expect(await world.get('/projects/1/issues/1')).toMatchObject({
    labels: ['bug'],
    assignee: { username: 'root' },
    milestone: { title: 'M 1' },
    title: 'B',
    state: 'closed',
  })
  expect(await world.status('POST', notes, { body: '/merge\n/draft\n/approve\n/target_branch x' })).toBe(400)
  await world.idle()
  expect(hooks.events()).toEqual(['issue close'])
})
