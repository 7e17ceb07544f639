// What happened since the last run is read from the service, once, also where the journal is lost or older than that.
import { rm } from 'node:fs/promises'
import { startRelay } from '../relay.ts'
import { startRunWorld } from './run-world.ts'

const rules = `
version: 1
rules:
  - name: merge on request
    command: merge
    then: { accept: true }
  - name: leave it
    command: cancel
    then: { cancel_accept: true }
  - name: note the time
    command: spent
    then: { spend: 15m }
  - name: welcome
    on: merge_request.open
    then: { comment: "Welcome, {{ author }}." }
  - name: count comments
    on: note.create
    then: { spend: 1m }
  - name: urgent ones are stale
    on: { merge_request.update: { changed: [labels] } }
    if: { labels: { any: [urgent] } }
    then: { label: { add: stale } }
  - name: failed pipelines
    on: pipeline.failed
    then: { comment: "It failed." }
  - name: an issue is answered
    for: issues
    on: note.create
    then: { label: { add: stale } }
`

async function openWorld() {
  const world = await startRunWorld(rules)
  onTestFinished(() => world.close())
  return world
}
const minute = 60
const spent = async (world: Awaited<ReturnType<typeof openWorld>>, iid: number) =>
  (await world.mergeRequest(iid)).time_stats?.total_time_spent

test('commands, comments, labels, openings and failed pipelines are events, each once', async () => {
  const world = await openWorld()
  const first = await world.open({ branch: 'one' })
  await world.say(first.iid, 'This was said before Bellhop came.')
  expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
  // Without a journal, only commands count.
  expect([await world.answers(first.iid), await spent(world, first.iid)]).toEqual([[], 0])

  await world.say(first.iid, '@bellhop spent')
  await world.say(first.iid, 'Thank you!', 'bob')
  const second = await world.open({ branch: 'two' })
  await world.root.mergeRequests.update({ ...world.ref(first.iid), add_labels: 'urgent' })
  const failed = { id: world.project, sha: second.sha, ref: second.branch, state: 'failed', name: 'ci' } as const
  await world.root.repository.statuses.create(failed)
  await world.root.issues.create({ id: world.project, title: 'It rains' })
  await world.root.issues.notes.create({ id: world.project, issue_iid: 1, body: 'Indeed.' })
  for (const _ of ['once', 'and no second time']) {
    expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
    expect(await world.answers(first.iid)).toEqual([expect.stringContaining('`spent`: add 15m to the time spent.')])
    expect(await spent(world, first.iid)).toBe((15 + 2) * minute)
    expect((await world.mergeRequest(first.iid)).labels).toEqual(['stale', 'urgent'])
    expect((await world.answers(second.iid)).toSorted()).toEqual([
      expect.stringContaining('It failed.'),
      expect.stringContaining('Welcome, bob.'),
    ])
    expect((await world.root.issues.get({ id: world.project, issue_iid: 1 })).body.labels).toEqual(['stale'])
  }
})

test('a command is done once where the journal is lost, and where it is older than the answer', async () => {
  const world = await openWorld()
  const { iid } = await world.open({ branch: 'one' })
  await world.say(iid, '@bellhop spent')
  await world.summary()
  expect(await spent(world, iid)).toBe((15 + 1) * minute)
  await rm(world.journal, { recursive: true })
  expect(await world.summary()).toMatchObject({ code: 0, forgotten: 'there is no journal yet' })
  const cache = await world.cached()
  await world.say(iid, '@bellhop spent')
  await world.summary()
  expect(await spent(world, iid)).toBe(2 * (15 + 1) * minute)
  // The job was killed: its cache was not stored.
  await rm(world.journal, { recursive: true })
  await cache.restore()
  for (const _ of ['the next', 'and the one after that']) {
    expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
    expect(await spent(world, iid)).toBe(2 * (15 + 1) * minute)
  }
})

test('a request that waits merges nothing after it was cancelled in a run whose journal is lost', async () => {
  const world = await openWorld()
  const { iid, sha, branch } = await world.open({ branch: 'one', pipeline: 'running' })
  await world.say(iid, '@bellhop merge')
  expect((await world.summary()).subjects).toMatchObject([{ verdict: expect.stringContaining('Not merged') }])
  const cache = await world.cached()
  await world.say(iid, '@bellhop cancel')
  await world.summary()
  await rm(world.journal, { recursive: true })
  await cache.restore()
  await world.root.repository.statuses.create({ id: world.project, sha, ref: branch, state: 'success', name: 'ci' })
  await world.summary()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
})

test.each([
  ['merges when its pipeline succeeds, however many runs that takes', 'merged', false],
  ['ends with another target branch, also where an older journal is restored', 'opened', true],
])('a request that waits %s', async (_what, state, moves) => {
  const world = await openWorld()
  await world.root.repository.branches.create({ id: world.project, branch: 'release', ref: 'master' })
  await world.summary()
  const { iid, sha, branch } = await world.open({ branch: 'one', pipeline: 'running' })
  const target = (target_branch: string) => world.root.mergeRequests.update({ ...world.ref(iid), target_branch })
  await world.say(iid, '@bellhop merge')
  await world.summary()
  const cache = await world.cached()
  if (moves) await target('release')
  await world.summary()
  if (moves) {
    await target('master')
    await rm(world.journal, { recursive: true })
    await cache.restore()
  }
  await world.root.repository.statuses.create({ id: world.project, sha, ref: branch, state: 'success', name: 'ci' })
  await world.summary()
  expect(await world.mergeRequest(iid)).toMatchObject({ state })
})

test('a command merges what its writer saw: neither a later push nor another target', async () => {
  const world = await openWorld()
  await world.root.repository.branches.create({ id: world.project, branch: 'release', ref: 'master' })
  const [pushed, retargeted, same] = [
    await world.open({ branch: 'pushed' }),
    await world.open({ branch: 'retargeted' }),
    await world.open({ branch: 'same' }),
  ]
  const target = (target_branch: string) =>
    world.root.mergeRequests.update({ ...world.ref(retargeted.iid), target_branch })
  await target('release')
  for (const { iid } of [pushed, retargeted, same]) await world.say(iid, '@bellhop merge')
  await world.push('pushed', 'evil.md')
  // A repository's rules merge into the default branch.
  await target('master')
  expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
  const states = await Promise.all(
    [pushed, retargeted, same].map(async ({ iid }) => (await world.mergeRequest(iid)).state),
  )
  expect(states).toEqual(['opened', 'opened', 'merged'])
})

test('a command does not follow to the branch that the service makes the target when the earlier one is deleted', async () => {
  const world = await openWorld()
  await world.root.repository.branches.create({ id: world.project, branch: 'release', ref: 'master' })
  const { iid } = await world.open({ branch: 'stacked' })
  await world.root.mergeRequests.update({ ...world.ref(iid), target_branch: 'release' })
  await world.say(iid, '@bellhop merge')
  await world.root.mergeRequests.update({ ...world.ref(iid), target_branch: 'master' })
  // GitLab's note says which it was. The sandbox changes no target by itself.
  const relay = await startRelay(world.sandbox.url, async (_request, forward) => {
    const answer = await forward()
    const body = answer.body
      .toString()
      .replaceAll(
        /changed target branch from (`release`) to (`\w+`)/g,
        'deleted the $1 branch. This merge request now targets the $2 branch',
      )
    return { ...answer, body: Buffer.from(body) }
  })
  onTestFinished(() => relay.close())
  const { code } = await world.bellhop(['--project', 'hotel/app'], { BELLHOP_SERVICE_URL: relay.url })
  expect([code, (await world.mergeRequest(iid)).state]).toEqual([0, 'opened'])
})
