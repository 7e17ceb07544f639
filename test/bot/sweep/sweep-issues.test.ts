// Sweeps of issues: where a rule is for issues, and as those of merge requests.
import { readMark } from '../../../src/bot/sweep/sweep-mark.ts'
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { type PlayedProject, rule, rulesOf, settledOn } from './sweep-world.ts'

playService()

const forIssues =
  'version: 1\nrules:\n  - name: b\n    for: issues\n    if: { state: opened }\n    then: { todo: true }\n'
const forBoth = `${rule}${forIssues.slice(forIssues.indexOf('  - name'))}`

const settledWorld = settledOn(useStores())

async function worldWith(text: string, played: PlayedProject) {
  const { world, ...settled } = await settledWorld(played)
  let version = 0
  const use = (rules: string) => {
    version += 1
    world.context.rules = { ...rulesOf('repository', rules), operatorVersion: version === 1 ? '' : `v${version}` }
  }
  use(text)
  return { world, ...settled, use }
}

test.each([
  ['both', forBoth, [-1, 1], ['merge_requests', 'merge_requests', 'issues', 'issues']],
  ['merge requests', rule, [1], ['merge_requests', 'merge_requests']],
  ['issues', forIssues, [-1], ['issues', 'issues']],
])('lists what rules are for: %s', async (_what, text, iids, lists) => {
  const { sweep } = await worldWith(text, { entries: [{ iid: 1, at: 1 }], issues: [{ iid: 1, at: 1 }] })
  expect(await sweep()).toMatchObject({ iids, lists })
})

test('an issue that changed is enqueued once, and a merge request with its number is not', async () => {
  const played = {
    entries: [{ iid: 1, at: 1 }],
    issues: [
      { iid: 1, at: 1 },
      { iid: 2, at: 2, state: 'closed' as const },
    ],
  }
  const { sweep } = await worldWith(forBoth, played)
  expect((await sweep()).iids).toEqual([-1, 1])
  await sweep()
  expect((await sweep()).iids).toEqual([])
  played.issues = [
    { iid: 1, at: 200 },
    { iid: 2, at: 201, state: 'closed' },
  ]
  expect((await sweep()).iids).toEqual([-2, -1])
  await sweep()
  played.entries = [{ iid: 1, at: 400 }]
  expect((await sweep()).iids).toEqual([1])
})

test('after the last rule for issues is gone, the open issues are evaluated once more', async () => {
  const { sweep, use } = await worldWith(forBoth, { entries: [], issues: [{ iid: 3, at: 1 }] })
  await sweep()
  await sweep()
  use(rule)
  expect((await sweep()).iids).toEqual([-3])
  expect(await sweep()).toMatchObject({ iids: [], lists: ['merge_requests', 'merge_requests'] })
})

test.each([403, 404])(
  'a project that refuses its list of issues (%s) is swept for merge requests, and stays known',
  async (issueStatus) => {
    const { world, project, sweep } = await worldWith(forBoth, { entries: [{ iid: 1, at: 1 }], issueStatus })
    const { iids, report } = await sweep()
    expect(iids).toEqual([1])
    expect(report.projects).toMatchObject([{ failed: expect.stringContaining('Its issues cannot be listed') }])
    expect(await world.journal.projects.known()).toEqual([project])
    const seen = { confirmed: false, newest: expect.any(Number) }
    expect(await readMark(world.journal, project)).toMatchObject({ lists: { 'merge requests': seen } })
  },
)

test('a project that refuses its list of merge requests (403) is swept for issues', async () => {
  const { sweep } = await worldWith(forBoth, { entries: [], issues: [{ iid: 1, at: 1 }], mergeRequestStatus: 403 })
  const { iids, report } = await sweep()
  expect(iids).toEqual([-1])
  expect(report.projects).toMatchObject([{ failed: expect.stringContaining('Its merge requests cannot be listed') }])
})

test('issues that a sweep does not reach are not taken for changed by the next one', async () => {
  const entries = Array.from({ length: 30 }, (_, at) => ({ iid: at + 1, at: at + 1 }))
  const issues = [
    { iid: 1, at: -3600, state: 'closed' as const },
    { iid: 2, at: 2 },
  ]
  const { sweep } = await worldWith(forBoth, { entries, issues })
  const swept: number[] = []
  for (let round = 0; round < 6; round += 1) swept.push(...(await sweep(20)).iids.filter((iid) => iid < 0))
  expect(new Set(swept)).toEqual(new Set([-2]))
})
