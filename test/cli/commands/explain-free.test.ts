// The cookbook's recipes that wait for approvals act on GitLab Free, and say there what needs Premium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../src/client/create-client.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { type ScenarioService, startScenario } from '../scenario-service.ts'

const text = `version: 1
users:
  - { username: alice, name: Alice }
  - { username: carol, name: Carol }
  - { username: bellhop, name: Bellhop, bot: true }
groups:
  - { path: hotel, name: Hotel, members: { alice: developer, carol: maintainer, bellhop: maintainer } }
projects:
  - path: hotel/app
    name: App
    approvals_before_merge: 2
    files: { a: b }
    merge_requests:
      - title: Add a door
        author: alice
        source_branch: door
        labels: [ready to merge, merge when green]
        files: { door: open }
        pipeline: success
`
const folder = mkdtempSync(join(tmpdir(), 'bellhop-explain-free-'))
let service: ScenarioService
beforeAll(async () => {
  service = await startScenario({ text }, { tier: 'free' })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Names of the calls that the rules would make now, and the output. */
async function explain(rules: string, ...flags: string[]) {
  const run = await bellhop(['explain', 'hotel/app', '1', '--rules', rules, ...flags], service.environment)
  expect([run.code, run.err]).toEqual([0, ''])
  const [, calls = ''] = run.out.split('\nCalls:\n')
  return { out: run.out, calls: [...calls.matchAll(/^ {2}(\w+\.\w+)/gm)].map(([, name]) => name) }
}
const recipe = (name: string) => `rules/examples/${name}.yml`
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

describe('on Free', () => {
  test('a rule that needs Premium says so', async () => {
    const path = join(folder, 'premium.yml')
    writeFileSync(path, 'rules:\n  - { name: one, if: { approvals_left: 0 }, then: { accept: true } }\n')
    const { out, calls } = await explain(path)
    expect(calls).toEqual([])
    expect(out).toContain('actual unknown: this installation does not show it; it needs Premium')
  })

  test.each(recipes)('%s waits until somebody approves', async (name, flags) => {
    const { out, calls } = await explain(recipe(name), ...flags)
    expect(calls).toEqual([])
    expect(out).toContain('approved: expected true, actual false; to fix: the missing approvals')
  })

  test('hold-while-not-ready holds what nobody has approved', async () => {
    expect((await explain(recipe('hold-while-not-ready'))).calls).toEqual(['mergeRequests.update'])
  })

  describe('after one approval', () => {
    beforeAll(async () => {
      const carol = createClient({ baseUrl: service.sandbox.url, token: service.tokens.carol ?? '' })
      await carol.mergeRequests.approve({ id: 'hotel/app', merge_request_iid: 1 })
    })

    test.each(recipes)('%s merges', async (name, flags) => {
      expect((await explain(recipe(name), ...flags)).calls).toContain('mergeRequests.accept')
    })

    test('hold-while-not-ready holds nothing', async () => {
      expect((await explain(recipe('hold-while-not-ready'))).calls).toEqual([])
    })
  })
})
