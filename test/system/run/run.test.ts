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
