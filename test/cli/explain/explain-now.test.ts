// Explaining with other rules, at another time and after an event that did not happen: against a scenario in a sandbox.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainNow } from '../../../src/cli/explain/explain-now.ts'
import { readOverrideFlags } from '../../../src/cli/explain/overrides.ts'
import { rulesFromFiles, rulesInForce } from '../../../src/cli/explain/rules-for.ts'
import { connect, orUserError, projectNamed } from '../../../src/cli/service/connect.ts'
import { firstBlocker } from '../../../src/rules/explain/explain.ts'
import { type ScenarioService, startScenario } from '../scenario-service.ts'

let service: ScenarioService
let folder: string
beforeAll(async () => {
  service = await startScenario({ file: 'scenarios/dependency-updates.yml' })
  folder = mkdtempSync(join(tmpdir(), 'bellhop-explain-'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const connection = (token = service.tokens.bellhop ?? '') =>
  connect({ serviceUrl: service.environment.BELLHOP_SERVICE_URL ?? '', serviceToken: token })

async function explain(iid: number, { overrides = [], rules }: { overrides?: string[]; rules?: string } = {}) {
  const client = connection()
  const { project } = await projectNamed(client, 'hotel/app')
  const files =
    rules === undefined
      ? (await rulesInForce(client, { project, folder: join(folder, 'no operator rules'), mode: 'act' })).files
      : await rulesFromFiles([rules])
  const { decision } = await explainNow({
    client,
    project,
    iid,
    files,
    overrides: readOverrideFlags(overrides),
    offLabel: 'bellhop::off',
    now: () => Date.parse('2026-03-01T12:00:00Z'),
  })
  const blockers = decision.rules.map((rule) => firstBlocker(rule)?.condition)
  return { decision, blockers, calls: decision.calls.map(({ endpoint }) => endpoint) }
}

test('removing a blocking label allows the calls', async () => {
  expect((await explain(2, { overrides: ['labels+=dependencies'] })).blockers).toEqual([undefined, 'labels'])
  const freed = await explain(2, { overrides: ['labels+=dependencies', 'labels-=hold'] })
  expect(freed.calls).toContain('mergeRequests.accept')
})

test('local rules replace those in force, and the time can be overridden', async () => {
  const rules = file(
    'freeze.yml',
    'rules:\n  - name: freeze\n    if: { clock: { from: 2026-12-20, to: 2027-01-02 } }\n    then: { label: { add: freeze } }\n',
  )
  const during = await explain(3, { rules, overrides: ['now=2026-12-24T10:00Z'] })
  expect([during.decision.files, during.calls]).toEqual([[{ path: rules, blob: null }], ['mergeRequests.update']])
  const before = await explain(3, { rules, overrides: ['now=2026-12-19T23:00Z'] })
  expect(before.decision).toMatchObject({ rules: [{ verdict: 'false' }], changesAt: '2026-12-20T00:00:00.000Z' })
  expect((await explain(3, { rules })).calls).toEqual([])
})

test('an event can be given, by a person whose access is read', async () => {
  const rules = file(
    'command.yml',
    'rules:\n  - { name: on request, command: todo, then: { todo: true } }\n  - { name: merge, command: merge, then: { accept: true } }\n',
  )
  const afterComment = (by: string, word: string) =>
    explain(3, { rules, overrides: [`event=note.create by ${by}: @bellhop ${word}`] })
  expect((await afterComment('alice', 'todo')).calls).toEqual(['mergeRequests.todo'])
  expect((await afterComment('alice', 'merge')).calls).toEqual(['mergeRequests.accept'])
  // A developer may not merge by a command.
  expect(await afterComment('renovate-bot', 'merge')).toMatchObject({
    calls: [],
    blockers: ['command', 'actor_access'],
  })
  expect((await explain(3, { rules })).blockers).toEqual(['on', 'on'])
  await expect(explain(3, { rules, overrides: ['event=push by zoe'] })).rejects.toThrow(
    'there is no user zoe on the service',
  )
})

test('a repository’s file has the repository’s rights', async () => {
  const text = 'rules:\n  - { name: merge, if: { state: opened }, then: { accept: true } }\n'
  const overrides = ['changed_files+=.bellhop.yml']
  expect(await explain(3, { rules: file('.bellhop.yml', text), overrides })).toMatchObject({
    calls: [],
    blockers: ['accept'],
  })
  expect((await explain(3, { rules: file('operator.yml', text), overrides })).calls).toEqual(['mergeRequests.accept'])
})

test('the label that turns Bellhop off pauses the decision', async () => {
  const { decision } = await explain(1, { overrides: ['labels+=bellhop::off'] })
  expect(decision).toMatchObject({ paused: 'the label bellhop::off is on it', calls: [] })
})

test('a wrong token is reported in a sentence', async () => {
  const wrong = connection('wrong-token')
  await expect(orUserError(() => projectNamed(wrong, 'hotel/app'))).rejects.toThrow('Is BELLHOP_SERVICE_TOKEN right?')
})

test('a missing token is named', () => {
  const url = { serviceUrl: service.environment.BELLHOP_SERVICE_URL ?? '' }
  expect(() => connect(url)).toThrow(/BELLHOP_SERVICE_TOKEN is missing/)
})

test('nothing is written', async () => {
  await explain(1)
  expect(service.called).toContain('mergeRequests.diffs')
  expect(service.writes()).toEqual([])
})
