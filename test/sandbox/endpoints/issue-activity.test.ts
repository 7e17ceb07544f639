// Notes, threads, reactions, times, subscriptions and merge requests of an issue: rights, values and hooks.
import { type Caller, eachCase, openMergeRequest, openProject, type World } from '../sandbox-world.ts'

const issues = '/projects/1/issues'
const issue = `${issues}/1`

async function withIssue(more: Record<string, unknown> = {}): Promise<World> {
  const world = await openProject({ visibility: 'public' })
  await world.post(issues, { title: 'It breaks', ...more })
  return world
}

/** Every address below an issue that can be read. */
const parts = [
  ...['', '/notes', '/discussions', '/award_emoji', '/resource_label_events', '/time_stats', '/participants'],
  '/related_merge_requests',
]

test('a confidential one hides each part from guests, and shows it to planners and assignees', async () => {
  const world = await withIssue({ confidential: true })
  const [guest, planner] = [await world.member('ann', 10), await world.member('pat', 15)]
  const expectAll = (by: Caller, status: number) =>
    eachCase(parts, async (part) => expect(await by.status('GET', `${issue}${part}`)).toBe(status))
  await expectAll(guest, 404)
  await expectAll(planner, 200)
  await world.put(issue, { assignee_ids: [1, guest.id] })
  await expectAll(guest, 200)
})

test('nothing is written below a confidential one that the caller does not see', async () => {
  const world = await withIssue({ confidential: true })
  const guest = await world.member('ann', 10)
  for (const [part, body] of [
    ['/notes', { body: 'A' }],
    ['/discussions', { body: 'A' }],
    ['/award_emoji', { name: 'tada' }],
    ['/time_estimate', { duration: '1h' }],
    ['/subscribe', {}],
    ['/todo', {}],
  ] as const)
    expect(await guest.status('POST', `${issue}${part}`, body), part).toBe(404)
})

test('threads are resolved by planners and the author, without a hook of the issue', async () => {
  const world = await withIssue()
  const guest = await world.member('ann', 10)
  const { id } = await world.post(`${issue}/discussions`, { body: 'Why?' })
  const hooks = await world.receiver({ issues_events: true, merge_requests_events: true })
  expect(await guest.status('PUT', `${issue}/discussions/${id}`, { resolved: true })).toBe(403)
  expect(await world.put(`${issue}/discussions/${id}`, { resolved: true })).toMatchObject({
    notes: [{ type: 'DiscussionNote', resolvable: true, resolved: true }],
  })
  expect(await hooks.payloads()).toEqual([])
})

test('reactions are counted, sent as hooks, and do not move updated_at', async () => {
  const world = await withIssue()
  const hooks = await world.receiver({ emoji_events: true })
  const before = await world.get(issue)
  const { id } = await world.post(`${issue}/award_emoji`, { name: 'thumbsup' })
  await world.post(`${issue}/award_emoji`, { name: '-1' })
  expect(await world.get(issue)).toEqual({ ...before, upvotes: 1, downvotes: 1 })
  expect(await world.list('iid', `${issues}?my_reaction_emoji=thumbsup`)).toEqual([1])
  await world.delete(`${issue}/award_emoji/${id}`)
  const payloads = await hooks.payloads()
  expect(payloads.map(({ event_type }) => event_type)).toEqual(['award', 'award', 'revoke'])
  expect(payloads[0]).toMatchObject({
    object_attributes: { awardable_type: 'Issue', awardable_id: 1, awarded_on_url: before.web_url },
    issue: { iid: 1, title: 'It breaks' },
  })
  expect(payloads[0]).not.toHaveProperty('merge_request')
})

test('times are for planners, and not for guests', async () => {
  const world = await withIssue()
  const [guest, planner] = [await world.member('ann', 10), await world.member('pat', 15)]
  for (const action of ['time_estimate', 'reset_time_estimate', 'add_spent_time', 'reset_spent_time']) {
    const send = (by: Caller) => by.status('POST', `${issue}/${action}`, { duration: '1h' })
    expect(await send(guest)).toBe(403)
    expect(await send(planner)).toBeLessThan(300)
  }
})

describe('merge requests', () => {
  const titles = (by: Caller) => by.list('title', `${issue}/related_merge_requests`)

  test('that mention an issue are related, and those that close it are counted', async () => {
    const world = await openMergeRequest({ mr: { title: 'Mention', description: 'See #1, not #12' } })
    for (const title of ['A', 'B']) await world.post(issues, { title })
    expect(await titles(world)).toEqual(['Mention'])
    expect((await world.get(issue)).merge_requests_count).toBe(0)
    await world.put('/projects/1/merge_requests/1', { description: `Fixes ${world.url}/root/app/-/issues/1` })
    expect((await world.get(issue)).merge_requests_count).toBe(1)
    await world.post('/projects/1/repository/branches', { branch: 'stable', ref: 'master' })
    await world.put('/projects/1/merge_requests/1', { target_branch: 'stable' })
    expect((await world.get(issue)).merge_requests_count).toBe(0)
    expect(await world.get(`${issues}/2/related_merge_requests`)).toEqual([])
  })

  test('of a project that the caller cannot read are not listed', async () => {
    const world = await openMergeRequest({ mr: { description: 'Closes #1' } })
    const guest = await world.member('ann', 10)
    await world.post(issues, { title: 'A' })
    expect(await world.get(`${issue}/related_merge_requests`)).toHaveLength(1)
    expect(await titles(guest)).toEqual([])
  })
})
