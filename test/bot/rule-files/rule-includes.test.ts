// Included rule files, and what somebody who writes rules may try with them.
import { describe, expect, test } from 'vitest'
import { createRuleFiles, type RuleFiles } from '../../../src/bot/rule-files/rule-files.ts'
import type { RuleFileRecord } from '../../../src/journal/types.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { silent } from '../stores.ts'

playService()

const [head, shared, pinned] = ['a', 'b', 'c'].map((each) => each.repeat(40)) as [string, string, string]
const rules = (name: string, more = '') =>
  `${more}version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { subscribe: true }\n`
const including = (include: string) => rules('own', `include: ${include}\n`)
const ofHead = including('{ project: hotel/rules, file: merge.yml }')

function makeRuleFiles(from = ['hotel/rules']) {
  const records = new Map<string, RuleFileRecord>()
  const marks = new Map<string, string>()
  const { client } = makeClient()
  const files = createRuleFiles({
    service: 's',
    client,
    journal: {
      ruleFile: async ({ project, path }) => records.get(`${project} ${path}`),
      saveRuleFile: async (record) => void records.set(`${record.project} ${record.path}`, record),
      projectMark: async (_service, project, mark) => marks.get(`${project} ${mark}`),
      changeMark: async (_service, project, mark, to) => {
        const next = to(marks.get(`${project} ${mark}`))
        if (next !== undefined) marks.set(`${project} ${mark}`, next)
      },
    },
    operatorFiles: [],
    policy: { entries: [{ includeFrom: from }], defaults: { mode: 'act', newRuleLimit: 0 } },
    now: () => 0,
    log: silent,
  })
  return { ...files, records }
}

const encoded = (text: string) => ({ blob_id: `${text.length}`, content: Buffer.from(text).toString('base64') })

function own(text: string): void {
  service().get('/projects/7').reply(200, { id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' })
  service()
    .get('/projects/7/repository/branches/main')
    .reply(200, { commit: { id: head } })
  service().get('/projects/7/repository/files/.bellhop.yml').query({ ref: head }).reply(200, encoded(text))
}
const sharedProject = (path = 'hotel/rules') =>
  service().get('/projects/hotel%2Frules').reply(200, { id: 8, default_branch: 'trunk', path_with_namespace: path })
const sharedHead = (commit = shared) =>
  service()
    .get('/projects/8/repository/branches/trunk')
    .reply(200, { commit: { id: commit } })
function sharedFile(text: string | number, commit = shared): void {
  const file = service().get('/projects/8/repository/files/merge.yml').query({ ref: commit })
  if (typeof text === 'number') file.times(4).reply(text, { message: 'secret of the service' })
  else file.reply(200, encoded(text))
}

const told = async (refreshed: Promise<Awaited<ReturnType<RuleFiles['refresh']>>>) => {
  const { files, problems } = await refreshed
  return {
    files: files.map(({ path, rules: file, broken, trust }) => [
      path,
      file.rules.map(({ name }) => name).join(),
      broken,
      trust,
    ]),
    problems,
  }
}
const ownFile = ['.bellhop.yml', 'own', false, 'repository']
const name = 'hotel/rules:merge.yml'

describe('an included file', () => {
  test('that nothing is remembered of has the rules read anew', async () => {
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile(rules('shared'))
    const files = makeRuleFiles()
    await files.refresh(7)
    files.records.delete(`7 ${name}`)
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile(rules('shared'))
    expect((await told(files.inForce(7))).files).toEqual([ownFile, [name, 'shared', false, 'repository']])
  })

  test('is in force behind the file that includes it, with the trust of a repository', async () => {
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile(rules('shared'))
    expect(await told(makeRuleFiles().refresh(7))).toEqual({
      files: [ownFile, [name, 'shared', false, 'repository']],
      problems: [],
    })
  })

  test('is read at the pinned commit, whatever became of the branch', async () => {
    own(including(`{ project: hotel/rules, file: merge.yml, ref: ${pinned} }`))
    sharedProject()
    sharedFile(rules('then'), pinned)
    expect((await told(makeRuleFiles().refresh(7))).files[1]).toEqual([
      `${name}@${pinned}`,
      'then',
      false,
      'repository',
    ])
  })

  test('is read at the commit that the pinned tag names', async () => {
    own(including('{ project: hotel/rules, file: merge.yml, ref: v1 }'))
    sharedProject()
    service()
      .get('/projects/8/repository/tags/v1')
      .reply(200, { name: 'v1', commit: { id: pinned } })
    sharedFile(rules('then'), pinned)
    expect((await told(makeRuleFiles().refresh(7))).files[1]?.[1]).toBe('then')
  })

  test('is not read again while its commit is the same', async () => {
    const files = makeRuleFiles()
    for (const reads of [true, false]) {
      own(ofHead)
      sharedProject()
      sharedHead()
      if (reads) sharedFile(rules('shared'))
      expect((await told(files.refresh(7))).files[1]?.[1]).toBe('shared')
    }
    expect((await files.inForce(7)).files).toHaveLength(2)
  })

  test('gives the rules another version when it changes', async () => {
    const files = makeRuleFiles()
    const versions: string[] = []
    for (const [commit, text] of [
      [shared, rules('one')],
      [pinned, rules('changed')],
    ] as const) {
      own(ofHead)
      sharedProject()
      sharedHead(commit)
      sharedFile(text, commit)
      versions.push((await files.refresh(7)).version)
    }
    expect(versions[0]).not.toBe(versions[1])
  })

  test('is protected in its own project, as long as it is included and is a rule file', async () => {
    const files = makeRuleFiles()
    const protects = async () => {
      service().get('/projects/8').reply(200, { id: 8, default_branch: null, path_with_namespace: 'hotel/rules' })
      return (await files.refresh(8)).policy.protects
    }
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile('not: rules')
    await files.refresh(7)
    expect(await protects()).toBeUndefined()
    own(ofHead)
    sharedProject()
    sharedHead(pinned)
    sharedFile(rules('shared'), pinned)
    await files.refresh(7)
    expect(await protects()).toEqual(['merge.yml'])
    own(rules('own'))
    await files.refresh(7)
    expect(await protects()).toBeUndefined()
  })
})

describe('an attacker who writes rules', () => {
  test('includes nothing from a project that the operator does not list: it is not even asked for', async () => {
    own(ofHead)
    const project = sharedProject()
    const { files, problems } = await told(makeRuleFiles(['other/*']).refresh(7))
    expect(files).toEqual([ownFile, [name, '', true, 'repository']])
    expect(problems).toEqual([
      `${name}: the operator does not list hotel/rules among the projects that may be included from`,
    ])
    expect(project.isDone()).toBe(false)
  })

  test('gets nothing from a project that took over the path of a listed one', async () => {
    own(ofHead)
    sharedProject('evil/rules')
    const { files, problems } = await told(makeRuleFiles().refresh(7))
    expect(files[1]).toEqual([name, '', true, 'repository'])
    expect(problems).toEqual([`${name}: the project is not there under this path`])
  })

  test('learns nothing of a file that is no rule file: neither text nor keys nor the service’s words', async () => {
    const secret = 'password: hunter2\nrules:\n  - { name: a, if: { s3cret: 1 }, then: { use: hunter2 } }\n'
    for (const text of [secret, 403]) {
      own(ofHead)
      sharedProject()
      sharedHead()
      sharedFile(text)
      const { problems } = await told(makeRuleFiles().refresh(7))
      expect(problems.length).toBeGreaterThan(0)
      for (const problem of problems)
        expect(problem).toMatch(
          /^hotel\/rules:merge\.yml(:\d+:\d+)?: (a problem that bellhop check tells|Bellhop may not read it)$/,
        )
    }
  })

  test('cannot pin a branch, which would move', async () => {
    own(including('{ project: hotel/rules, file: merge.yml, ref: trunk }'))
    sharedProject()
    service().get('/projects/8/repository/tags/trunk').reply(404)
    expect((await told(makeRuleFiles().refresh(7))).problems).toEqual([`${name}@trunk: there is no such commit or tag`])
  })

  test('does not go further than one level', async () => {
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile(rules('shared', 'include: { project: hotel/rules, file: more.yml }\n'))
    expect((await told(makeRuleFiles().refresh(7))).files[1]).toEqual([name, '', true, 'repository'])
  })
})

describe('an included file that was in force', () => {
  async function inForceOnce(files = makeRuleFiles()) {
    own(ofHead)
    sharedProject()
    sharedHead()
    sharedFile(rules('good'))
    await files.refresh(7)
    own(ofHead)
    return files
  }
  const lastGood = [name, 'good', true, 'repository']

  test('and is broken now stays as it was, and holds back what merges', async () => {
    const files = await inForceOnce()
    sharedProject()
    sharedHead(pinned)
    sharedFile('rules: 7', pinned)
    expect((await told(files.refresh(7))).files[1]).toEqual(lastGood)
  })
  test('and is gone now stays as it was, and holds back what merges', async () => {
    const files = await inForceOnce()
    sharedProject()
    sharedHead(pinned)
    service().get('/projects/8/repository/files/merge.yml').query(true).reply(404)
    expect(await told(files.refresh(7))).toEqual({
      files: [ownFile, lastGood],
      problems: [`${name}: the file is not there`],
    })
  })
  test('and whose project Bellhop may not see any more stays as it was, and holds back what merges', async () => {
    const files = await inForceOnce()
    service().get('/projects/hotel%2Frules').reply(404)
    expect(await told(files.refresh(7))).toEqual({
      files: [ownFile, lastGood],
      problems: [`${name}: Bellhop may not read it`],
    })
  })
  test('and whose project was renamed stays as it was, and holds back what merges', async () => {
    const files = await inForceOnce()
    service().get('/projects/hotel%2Frules').reply(301, 'moved', { location: '/api/v4/projects/8' })
    const problems = [`${name}: the project is not there under this path`]
    expect(await told(files.refresh(7))).toEqual({ files: [ownFile, lastGood], problems })
  })
  test('and cannot be read for a moment is an error, never "no rules"', async () => {
    const files = await inForceOnce()
    sharedProject()
    sharedHead(pinned)
    sharedFile(500, pinned)
    await expect(files.refresh(7)).rejects.toMatchObject({ status: 500 })
    expect((await told(files.inForce(7))).files[1]).toEqual([name, 'good', false, 'repository'])
  })
  test('and is included no longer is gone, also when it was broken', async () => {
    const files = await inForceOnce()
    sharedProject()
    sharedHead()
    await files.refresh(7)
    own(rules('own'))
    expect((await told(files.refresh(7))).files).toEqual([ownFile])
  })
  test('is out of force as soon as the operator lists its project no more', async () => {
    const { records } = await inForceOnce()
    const strict = makeRuleFiles([])
    for (const [key, record] of records) strict.records.set(key, record)
    expect((await told(strict.refresh(7))).files[1]).toEqual([name, '', true, 'repository'])
  })
})
