// The rules in force: from the default branch, kept by blob, the last good version while the newest is broken.
import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createRuleFiles } from '../../src/bot/rule-files.ts'
import type { RuleFileRecord } from '../../src/journal/types.ts'
import { makeClient, playService, service } from '../client/world.ts'
import { silent } from './stores.ts'

playService()

const MINUTE = 60_000
const head = 'c'.repeat(40)
const rules = (name: string) => `version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { approve: true }\n`
const broken = 'version: 1\nrules: 7\n'
const blobOf = (text: string) => createHash('sha1').update(text).digest('hex')

function makeRuleFiles() {
  const records = new Map<string, RuleFileRecord>()
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const journal = {
    ruleFile: async ({ project }: { project: number }) => records.get(String(project)),
    saveRuleFile: async (record: RuleFileRecord) => void records.set(String(record.project), record),
  }
  const operator = { rules: { file: 'all.yml', rules: [] }, path: 'all.yml', blob: randomUUID(), trust: 'operator' as const, broken: false }
  const { client } = makeClient()
  const files = createRuleFiles({ service: 's', client, journal, operatorFiles: [operator], now: () => clock.now, log: silent })
  const names = async () =>
    (await files.inForce(7)).slice(1).map(({ rules: file, broken: isBroken }) => [file.rules.map(({ name }) => name), isBroken])
  return { ...files, clock, names }
}

/** The service's answer for one reading: project, then file. */
function holds(text: string | null, { branch = 'main', status = 404 } = {}): void {
  service().get('/projects/7').reply(200, { id: 7, default_branch: branch })
  service()
    .get(`/projects/7/repository/branches/${branch}`)
    .reply(200, { name: branch, commit: { id: head } })
  const file = service().get('/projects/7/repository/files/.bellhop.yml').query({ ref: head })
  if (text === null) file.reply(status, { message: 'no' })
  else file.reply(200, { blob_id: blobOf(text), content: Buffer.from(text).toString('base64'), encoding: 'base64' })
}

test('the operator’s files come before the repository’s, which is read from the default branch', async () => {
  const { inForce } = makeRuleFiles()
  holds(rules('one'), { branch: 'trunk' })
  expect(await inForce(7)).toMatchObject([
    { path: 'all.yml', trust: 'operator' },
    { path: '.bellhop.yml', trust: 'repository', blob: blobOf(rules('one')), broken: false, rules: { rules: [{ name: 'one' }] } },
  ])
})

test('what was read is trusted for five minutes, and then read anew', async () => {
  const { names, clock } = makeRuleFiles()
  holds(rules('one'))
  expect(await names()).toEqual([[['one'], false]])
  clock.now += 5 * MINUTE - 1
  expect(await names()).toEqual([[['one'], false]])
  clock.now += 1
  holds(rules('two'))
  expect(await names()).toEqual([[['two'], false]])
})

describe('a file that is broken', () => {
  test('leaves the last good version in force, marked as broken', async () => {
    const { names, refresh } = makeRuleFiles()
    holds(rules('one'))
    await refresh(7)
    for (let n = 0; n < 2; n += 1) {
      holds(broken)
      await refresh(7)
      expect(await names()).toEqual([[['one'], true]])
    }
  })

  test('from the start is no rules, but marked as broken, so that nothing merges', async () => {
    const { names, refresh } = makeRuleFiles()
    holds(broken)
    await refresh(7)
    expect(await names()).toEqual([[[], true]])
  })

  test('and then mended is in force again', async () => {
    const { names, refresh } = makeRuleFiles()
    for (const text of [broken, rules('one')]) {
      holds(text)
      await refresh(7)
    }
    expect(await names()).toEqual([[['one'], false]])
  })
})

test('a deleted file is no rules, and its last good version does not come back', async () => {
  const { names, refresh } = makeRuleFiles()
  for (const text of [rules('one'), null, broken]) {
    holds(text)
    await refresh(7)
  }
  expect(await names()).toEqual([[[], true]])
})

test('an empty repository has no rules', async () => {
  const { refresh } = makeRuleFiles()
  service().get('/projects/7').reply(200, { id: 7, default_branch: null })
  expect((await refresh(7)).files).toHaveLength(1)
})

test.each([403, 500])('a file that cannot be read (%i) is an error, never "no rules", and the old one stays', async (status) => {
  const { names, refresh } = makeRuleFiles()
  holds(rules('one'))
  await refresh(7)
  holds(null, { status })
  if (status === 500) for (let n = 0; n < 3; n += 1) service().get('/projects/7/repository/files/.bellhop.yml').query(true).reply(500)
  await expect(refresh(7)).rejects.toMatchObject({ status })
  expect(await names()).toEqual([[['one'], false]])
})

test('the version changes with content and branch, and is empty without a file', async () => {
  const { refresh } = makeRuleFiles()
  const versions: string[] = []
  const readings = [
    [rules('one'), 'main'],
    [rules('one'), 'main'],
    [rules('two'), 'main'],
    [rules('two'), 'trunk'],
    [broken, 'trunk'],
    [null, 'trunk'],
  ] as const
  for (const [text, branch] of readings) {
    holds(text, { branch })
    versions.push((await refresh(7)).version)
  }
  expect(versions[1]).toBe(versions[0])
  expect(new Set(versions).size).toBe(5)
  expect(versions.at(-1)).toBe('')
})
