// The cookbook's recipes that wait for approvals act on GitLab Free, and say there what needs Premium.
import { createClient } from '../../../src/client/create-client.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const text = `version: 1
users: [{ username: alice }, { username: carol }, { username: bellhop, bot: true }]
groups: [{ path: hotel, members: { alice: developer, carol: maintainer, bellhop: maintainer } }]
projects:
  - path: hotel/app
    approvals_before_merge: 2
    merge_requests:
      - title: Add a door
        author: alice
        source_branch: door
        labels: [ready to merge, merge when green]
        files: { door: open }
        pipeline: success
`
const service = useScenario({ text }, { tier: 'free' })

/** Names of the calls that the rules would make now, and the output. */
async function explain(rules: string, ...flags: string[]) {
  const run = await bellhop(['explain', 'hotel/app', '1', '--rules', rules, ...flags], service.environment)
  expect([run.code, run.err]).toEqual([0, ''])
  const [, calls = ''] = run.out.split('\nCalls:\n')
  return { out: run.out, calls: [...calls.matchAll(/^ {2}(\w+\.\w+)/gm)].map(([, name]) => name) }
}
const recipe = (name: string) => `rules/examples/${name}.yml`
const hold = recipe('hold-while-not-ready')
const byComment = ['event=note.create', 'command=merge', 'actor_access=maintainer'].flatMap((each) => [
  '--what-if',
  each,
])
const recipes: [string, string[]][] = [
  ['accept-when-green', []],
  ['squash-many-commits', []],
  ['merge-when-pipeline-succeeds', []],
  ['merge-on-request', byComment],
]

test('on Free a rule that needs Premium says so', async () => {
  const rules = 'rules:\n  - { name: one, if: { approvals_left: 0 }, then: { accept: true } }\n'
  const { out, calls } = await explain(ownFolder().write('premium.yml', rules))
  expect(calls).toEqual([])
  expect(out).toContain('actual unknown: this installation does not show it; it needs Premium')
})

test('on Free the recipes wait until somebody approves', async () => {
  for (const [name, flags] of recipes) {
    const { out, calls } = await explain(recipe(name), ...flags)
    // The comment is answered: it is not done.
    expect(calls, name).toEqual(flags.length === 0 ? [] : ['mergeRequests.notes'])
    expect(out, name).toContain('approved: expected true, actual false; to fix: the missing approvals')
  }
  expect((await explain(hold)).calls).toEqual(['mergeRequests.update'])
  const carol = createClient({ baseUrl: service.sandbox.url, token: service.tokens.carol ?? '' })
  await carol.mergeRequests.approve({ id: 'hotel/app', merge_request_iid: 1 })
  for (const [name, flags] of recipes)
    expect((await explain(recipe(name), ...flags)).calls, name).toContain('mergeRequests.accept')
  expect((await explain(hold)).calls).toEqual([])
})
