// `bellhop backtest` of rules for issues, against a scenario with open, closed and confidential ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../src/client/create-client.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { type ScenarioService, startScenario } from '../scenario-service.ts'

const scenario = `
version: 1
users:
  - { username: alice }
  - { username: bellhop, bot: true }
projects:
  - path: root/app
    members: { alice: maintainer, bellhop: maintainer }
    files:
      README.md: "# App"
    merge_requests:
      - { title: Tell how, author: alice, source_branch: how, files: { docs/how.md: "how" } }
`
const forIssues = `rules:
  - { name: triage, for: issues, if: { author: alice, state: opened }, then: { label: { add: triage } } }
  - { name: bugs, for: issues, if: { labels: { any: bug } }, then: { todo: true } }
`
let service: ScenarioService
let folder: string
beforeAll(async () => {
  service = await startScenario({ text: scenario })
  folder = mkdtempSync(join(tmpdir(), 'bellhop-backtest-'))
  const { issues } = createClient({ baseUrl: service.sandbox.url, token: service.tokens.alice ?? '' })
  await issues.create({ id: 'root/app', title: 'A door sticks', labels: 'bug' })
  await issues.create({ id: 'root/app', title: 'It was shut', labels: 'bug' })
  await issues.update({ id: 'root/app', issue_iid: 2, state_event: 'close' })
  await issues.create({ id: 'root/app', title: 'The vault is open', confidential: true })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function backtest(text: string) {
  const path = join(folder, 'rules.yml')
  writeFileSync(path, text)
  return bellhop(['backtest', 'root/app', '--rules', path, '--format', 'json'], service.environment)
}

test('issues are evaluated where rules are for issues, closed ones by what cannot have changed', async () => {
  const { code, out, err } = await backtest(forIssues)
  expect(code).toBe(0)
  expect(err).toMatch(/^3 issues, about/)
  const { mergeRequests, rules, unknownFacts } = JSON.parse(out)
  expect(mergeRequests).toMatchObject([
    { iid: 3, subject: 'issue', title: 'a confidential issue', state: 'opened', decided: true },
    { iid: 2, subject: 'issue', title: 'It was shut', state: 'closed', decided: false },
    { iid: 1, subject: 'issue', title: 'A door sticks', state: 'opened', decided: true },
  ])
  expect(unknownFacts).toEqual({ labels: 1 })
  expect(rules).toMatchObject([
    { rule: 'triage', matched: 3 },
    { rule: 'bugs', matched: 1, notMatched: 1, unknown: 1 },
  ])
  expect(out).not.toContain('vault')
})

test('merge requests are evaluated too where rules are for both', async () => {
  const { out, err } = await backtest(`${forIssues}  - { name: own, if: { author: alice }, then: { todo: true } }\n`)
  expect(err).toMatch(/^1 merge request and 3 issues, about/)
  const { mergeRequests } = JSON.parse(out)
  expect(mergeRequests.map(({ iid, subject }: { iid: number; subject?: string }) => [iid, subject])).toEqual([
    [1, undefined],
    [3, 'issue'],
    [2, 'issue'],
    [1, 'issue'],
  ])
})
