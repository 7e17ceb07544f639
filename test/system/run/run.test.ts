// `bellhop run` does with a scheduled job what `serve` does with hooks, and each thing once.
import { type RunWorld, startRunWorld } from './run-world.ts'

const rules = `
version: 1
rules:
  - name: label dependency updates
    if: { changed_files: { all: "package*.json" } }
    then: { label: { add: dependencies } }
  - name: merge dependency updates when green
    if: { author: [renovate-bot], pushed_by: { all: [renovate-bot] }, pipeline: success }
    then: { approve: true, accept: true }
  - name: urgent ones are said to be
    if: { labels: { any: [urgent] } }
    then: { comment: "{{ author }}, this is urgent.", label: { add: stale } }
  - name: those of today are stale tomorrow
    if: { age: { newer_than: 1d }, author: [alice] }
    then: { label: { add: stale } }
`
const later = `
version: 1
rules:
  - name: stale
    if: { updated: { older_than: 30d } }
    then: { label: { add: stale } }
  - name: broken
    if: { pipeline: failed }
    then: { label: { add: urgent } }
`
const hourMs = 3_600_000
const worlds: RunWorld[] = []
const open = async (...given: Parameters<typeof startRunWorld>) => {
  const world = await startRunWorld(...given)
  worlds.push(world)
  return world
}
afterAll(async () => {
  for (const world of worlds) await world.close()
})

describe.each(['free', 'premium'] as const)('on %s', (tier) => {
  test('what is open is labelled, approved and merged, and a second run does nothing', async () => {
    const world = await open(rules, { tier })
    const update = await world.open({
      branch: 'left-pad',
      by: 'renovate-bot',
      files: { 'package.json': '{ }\n' },
    })
    const other = await world.open({ branch: 'install' })
    const first = await world.summary()
    expect(first).toMatchObject({ code: 0, problems: [] })
    expect(first.subjects.map(({ name, verdict, done }) => ({ name, verdict, done }))).toEqual([
      {
        name: 'hotel/app!1 · left-pad',
        verdict: 'Merged, by rule "merge dependency updates when green".',
        done: [
          'Labelled by rule "label dependency updates"',
          'Approved by rule "merge dependency updates when green"',
          'Merged by rule "merge dependency updates when green"',
        ],
      },
      {
        name: 'hotel/app!2 · install',
        verdict: expect.stringContaining('Not merged: author is bob'),
        done: [],
      },
    ])
    expect(await world.mergeRequest(update.iid)).toMatchObject({ state: 'merged', labels: ['dependencies'] })
    expect(await world.mergeRequest(other.iid)).toMatchObject({ state: 'opened' })
    const before = world.writes().length
    expect(await world.summary()).toMatchObject({ code: 0 })
    expect(world.writes().slice(before)).toEqual(['projects.star'])
  })
})

test('a second run evaluates what may have changed, and reads notes only there', async () => {
  const present = Date.now()
  const goBack = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: present - ms })
  onTestFinished(() => void vi.useRealTimers())
  goBack(31 * 24 * hourMs)
  const world = await open(later)
  const old = await world.open({ branch: 'old' })
  goBack(2 * hourMs)
  const [same, broken] = [
    await world.open({ branch: 'same' }),
    await world.open({ branch: 'broken', pipeline: 'running' }),
  ]
  goBack(hourMs)
  const [renamed, noted] = [await world.open({ branch: 'renamed' }), await world.open({ branch: 'noted' })]
  vi.useRealTimers()
  const first = await world.summary()
  expect(first).toMatchObject({ code: 0, projects: [{ looked: 5 }] })
  expect((await world.mergeRequest(old.iid)).labels).toEqual(['stale'])
  expect((await world.mergeRequest(same.iid)).labels).toEqual([])

  await world.root.repository.statuses.create({
    ...{ id: world.project, sha: broken.sha, ref: broken.branch, state: 'failed', name: 'ci' },
  })
  await world.root.mergeRequests.update({ ...world.ref(renamed.iid), title: 'Another title' })
  await world.say(noted.iid, 'Thank you!')
  const before = world.called.length
  const second = await world.summary()
  // The first run labelled the old one.
  expect(second.subjects.map(({ iid }) => iid)).toEqual([old, broken, renamed, noted].map(({ iid }) => iid))
  expect((await world.mergeRequest(broken.iid)).labels).toEqual(['urgent'])
  const calls = world.called.slice(before)
  expect(calls.filter((name) => name === 'mergeRequests.notes.list')).toHaveLength(1)
  expect(calls.filter((name) => name === 'repository.pipelines.list')).toHaveLength(1)
})

test('an event of a pipeline reaches a merge request that no run had to evaluate', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hourMs })
  onTestFinished(() => void vi.useRealTimers())
  const world = await open(`
version: 1
rules:
  - name: broken
    on: pipeline.failed
    then: { label: { add: urgent } }
`)
  const { iid, sha, branch } = await world.open({ branch: 'quiet' })
  vi.useRealTimers()
  // A run evaluates the newest again.
  await world.open({ branch: 'newest' })
  expect((await world.summary()).subjects).toEqual([])
  await world.root.repository.statuses.create({
    ...{ id: world.project, sha, ref: branch, state: 'failed', name: 'ci' },
  })
  await world.summary()
  expect((await world.mergeRequest(iid)).labels).toEqual(['urgent'])
})
