// `bellhop explain` of an issue, against a scenario in a sandbox.
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { serveAdmin, TOKEN } from '../../admin/serve-admin.ts'
import { useStores } from '../../bot/stores.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const stores = useStores({ own: true })
const scenario = `version: 1
users:
  - { username: alice }
  - { username: bellhop, bot: true }
projects:
  - path: alice/app
    members: { bellhop: maintainer }
    labels: [triage, hold]
    files:
      .bellhop.yml: |
        version: 1
        rules:
          - name: triage new issues
            for: issues
            if: { state: opened, labels: { none: [hold] } }
            then: { label: { add: triage } }
          - name: label merge requests
            if: { state: opened }
            then: { label: { add: hold } }
    issues:
      - { title: The door is shut, by: alice }
`
const service = useScenario({ text: scenario })
const { write } = ownFolder()

const explain = (...args: string[]) => bellhop(['explain', ...args], service.environment)

test('prints the rules for issues and the calls, and writes nothing', async () => {
  const { code, out, err } = await explain('alice/app#1')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^alice\/app#1 · The door is shut \(opened\)\nlink: http\S+\/alice\/app\/-\/issues\/1\n/)
  expect(out).toContain('\n✓ triage new issues')
  expect(out).not.toContain('label merge requests')
  expect(out).toMatch(/\nCalls:\n {2}issues\.update add_labels="triage"\n/)
  expect(out).toContain('\nEarlier actions, pending events and the new-rule limit are unknown here')
  expect(out).not.toMatch(/pushed|pipelines of their own/)
  const root = service.environment.BELLHOP_SERVICE_URL?.replace(/\/$/, '')
  for (const page of ['issues', 'work_items'])
    expect((await explain(`${root}/alice/app/-/${page}/1`)).out, page).toBe(out)
  expect(service.writes()).toEqual([])
})

test('takes what-if overrides, and prints JSON with its own number', async () => {
  const { out } = await explain('alice/app#1', '--what-if', 'labels+=hold', '--format', 'json')
  const { mergeRequest, rules, calls } = JSON.parse(out)
  expect(mergeRequest).toMatchObject({ iid: 1, subject: 'issue', path: 'alice/app', title: 'The door is shut' })
  expect(rules).toMatchObject([{ name: 'triage new issues', blocker: { condition: 'labels' } }])
  expect(calls).toEqual([])
})

test('the title of a confidential issue is not printed', async () => {
  await service.root.issues.create({ id: 1, title: 'The key is under the mat', confidential: true })
  const { out } = await explain('alice/app#2')
  expect(out).toMatch(/^alice\/app#2 · a confidential issue \(opened\)\n/)
  expect(out).not.toContain('under the mat')
})

test('an issue that does not exist, and a project without rules for issues, say so', async () => {
  const missing = refuses(1, /^bellhop: There is no issue alice\/app#9 that the token’s user can see\.\n$/)
  expect(await explain('alice/app#9')).toEqual(missing)
  const text = 'version: 1\nrules:\n  - { name: n, if: { draft: true }, then: { subscribe: true } }\n'
  const rules = write('others.yml', text)
  const { code, out } = await explain('alice/app#1', '--rules', rules)
  expect(code).toBe(0)
  expect(out).toContain('\nNo rule of alice/app is for issues.\n')
})

test('asks a running bot for the memory of the issue', async () => {
  const admin = await serveAdmin({ journal: stores.journal })
  const of = issueRef(1, 1)
  const event = { kind: 'issue.open', actor: { username: 'alice' }, at: '2026-11-21T10:00:00.000Z', iid: of.iid }
  await stores.journal.events.add(of, { deliveryId: 'd-1', event })
  const rules = write(
    'welcome.yml',
    'version: 1\nrules:\n  - { name: n, for: issues, on: issue.open, then: { subscribe: true } }\n',
  )
  const flags = ['--rules', rules, '--bellhop', admin.url, '--bellhop-token', TOKEN]
  const { code, out } = await explain('alice/app#1', ...flags)
  admin.server.close()
  expect(code).toBe(0)
  expect(out).toContain('✓ n')
  expect(out).toContain('issues.subscribe')
  expect(out).not.toContain('Earlier actions')
})
