// check --online: groups that rules name, and the errors of CODEOWNERS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bellhopHere as bellhop } from '../run-here.ts'
import { type ScenarioService, startScenario } from '../scenario-service.ts'

const scenario = `version: 1
users: [{ username: alice }, { username: sam }, { username: bellhop, bot: true }]
groups:
  - { path: hotel, members: { alice: maintainer, bellhop: developer } }
  - { path: secret, members: { sam: maintainer } }
projects:
  - path: hotel/app
    files:
      docs/CODEOWNERS: |
        * @alice @nobody
        *.md
        [Web
        [Docs][2] @hotel alice
        docs/
  - { path: hotel/bare, files: { a: b } }
`
const rules = `version: 1
rules:
  - name: owners
    if: { approved_by: { members_of: secret, at_least: 1 } }
    then: { review: { from: code_owners } }
  - name: team
    if: { author: { not: { members_of: hotel } } }
    then: { review: { pick: 1, from: { members_of: hotel/none } } }
  - name: people
    if: { draft: false }
    then: { review: { pick: 1, from: [alice, wendy] } }
`
const folder = mkdtempSync(join(tmpdir(), 'bellhop-check-'))
const path = join(folder, 'rules.yml')
let service: ScenarioService

beforeAll(async () => {
  writeFileSync(path, rules)
  service = await startScenario({ text: scenario })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const warnings = async (project: string) => {
  const { out } = await bellhop(['check', '--online', '--project', project, path], service.environment)
  return out
    .split('\n')
    .filter((line) => line.includes('warning: '))
    .map((line) => line.replace(`${path}:`, ''))
}

test('groups that are not there or cannot be seen, unknown people, and each bad line of CODEOWNERS are shown', async () => {
  expect(await warnings('hotel/app')).toEqual([
    '4:38: warning: rules[0].if.approved_by.members_of: there is no group "secret" that the bot can see',
    ...[
      'docs/CODEOWNERS:1: @nobody is neither a user nor a group that the bot can see',
      'docs/CODEOWNERS:2: "*.md" has no owner',
      'docs/CODEOWNERS:3: a section heading without a name in brackets is read as an entry',
      'docs/CODEOWNERS:3: "[Web" has no owner',
      'docs/CODEOWNERS:4: "alice" is no owner: write @name, @group, @@role or an address',
    ].map((message) => `5:29: warning: rules[0].then.review.from: ${message}`),
    '8:52: warning: rules[1].then.review.from.members_of: there is no group "hotel/none" that the bot can see',
    '11:46: warning: rules[2].then.review.from[1]: there is no user "wendy"',
  ])
})

test('a project without the file is shown as such', async () => {
  expect((await warnings('hotel/bare')).filter((line) => line.includes('CODEOWNERS'))).toEqual([
    '5:29: warning: rules[0].then.review.from: the default branch has no CODEOWNERS file: CODEOWNERS, docs/CODEOWNERS, .gitlab/CODEOWNERS are looked for',
  ])
})
