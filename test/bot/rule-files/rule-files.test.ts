// The rules in force: from the default branch, and the last good version while the newest is broken.
import type { RuleFileRecord } from '../../../src/journal/types.ts'
import type { RuleFileInForce } from '../../../src/rules/types.ts'
import { playService, service } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { blobOf, broken, headWith, holds, MINUTE, makeRuleFiles, operatorFile, rules } from './rule-files-world.ts'

playService()

test('the operator’s files come before the repository’s, which is read from the default branch', async () => {
  const { inForce } = makeRuleFiles()
  holds(rules('one'), { branch: 'trunk' })
  expect((await inForce(7)).files).toMatchObject([
    { path: 'all.yml', trust: 'operator' },
    {
      path: '.bellhop.yml',
      trust: 'repository',
      blob: blobOf(rules('one')),
      commit: headWith(rules('one')),
      broken: false,
      rules: { rules: [{ name: 'one' }] },
    },
  ])
})

test('rules are reused for 15 minutes, and then read again', async () => {
  const { names, clock } = makeRuleFiles()
  holds(rules('one'))
  expect(await names()).toEqual([[['one'], false]])
  clock.now += 15 * MINUTE - 1
  expect(await names()).toEqual([[['one'], false]])
  clock.now += 1
  holds(rules('two'))
  expect(await names()).toEqual([[['two'], false]])
})

describe('a file that is broken', () => {
  test('leaves the last good version in force, marked as broken', async () => {
    const { names, refresh, inForce } = makeRuleFiles()
    holds(rules('one'))
    await refresh(7)
    for (let n = 0; n < 2; n += 1) {
      holds(broken)
      await refresh(7)
      expect(await names()).toEqual([[['one'], true]])
    }
    expect((await inForce(7)).files.at(-1)).not.toHaveProperty('commit')
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
  serves('/projects/7', { id: 7, default_branch: null, path_with_namespace: 'hotel/app' })
  expect((await refresh(7)).files).toHaveLength(1)
})

test.each([403, 500])(
  'a file that cannot be read (%i) is an error, never "no rules", and the old one stays',
  async (status) => {
    const { names, refresh } = makeRuleFiles()
    holds(rules('one'))
    await refresh(7)
    holds(null, { status })
    if (status === 500)
      for (let n = 0; n < 3; n += 1) service().get('/projects/7/repository/files/.bellhop.yml').query(true).reply(500)
    await expect(refresh(7)).rejects.toMatchObject({ status })
    expect(await names()).toEqual([[['one'], false]])
  },
)

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

test('a last good version that this Bellhop cannot read is no rules, and holds back what merges', async () => {
  const { names, refresh, records } = makeRuleFiles()
  holds(rules('one'))
  await refresh(7)
  const record = records.get('7 .bellhop.yml') as RuleFileRecord
  records.set('7 .bellhop.yml', { ...record, good: { blob: 'b', text: broken } })
  expect(await names()).toEqual([[[], true]])
})

describe('the operator’s files', () => {
  const paths = async (path: string, ...files: RuleFileInForce[]) => {
    const { refresh } = makeRuleFiles({ operatorFiles: files })
    holds(null, { path })
    return (await refresh(7)).files.map((each) => each.path)
  }
  test('are in force where the project’s full path fits', async () => {
    const files = [
      operatorFile('all.yml'),
      operatorFile('hotel.yml', ['hotel/*']),
      operatorFile('one.yml', ['hotel/app', 'a/b']),
    ]
    expect(await paths('hotel/app', ...files)).toEqual(['all.yml', 'hotel.yml', 'one.yml'])
    expect(await paths('hotel/other', ...files)).toEqual(['all.yml', 'hotel.yml'])
    expect(await paths('hotel-evil/app', ...files)).toEqual(['all.yml'])
  })
  test('follow it at once when a delivery after the last read reports another path', async () => {
    const { inForce, clock } = makeRuleFiles({ operatorFiles: [operatorFile('hotel.yml', ['hotel/*'])] })
    const count = async (path: string, at = clock.now) => {
      const { files, fresh } = await inForce(7, {
        reported: { path, at: new Date(at).toISOString() },
      })
      return [files.length, fresh]
    }
    holds(null, { path: 'hotel/app' })
    expect(await count('hotel/app')).toEqual([1, true])
    clock.now += 1_000
    expect(await count('Hotel/App')).toEqual([1, false])
    holds(null, { path: 'motel/app' })
    expect(await count('motel/app')).toEqual([0, true])
    expect(await count('hotel/app', clock.now - 1_000)).toEqual([0, false])
  })
  test('are refused for a project whose path is unknown', async () => {
    const { inForce } = makeRuleFiles({ operatorFiles: [operatorFile('hotel.yml', ['hotel/*'])] })
    serves('/projects/7', { id: 7, default_branch: null })
    await expect(inForce(7)).rejects.toThrow('does not say the path')
  })
  test('give another version when they change, and when the policy does', () => {
    const policy = (mode: 'act' | 'observe') => ({ entries: [], defaults: { mode, newRuleLimit: 0 } })
    const versions = [
      makeRuleFiles({ operatorFiles: [] }),
      makeRuleFiles({ operatorFiles: [], policy: policy('observe') }),
      makeRuleFiles({ operatorFiles: [operatorFile('a.yml')] }),
      makeRuleFiles({ operatorFiles: [operatorFile('a.yml')] }),
    ].map(({ operatorVersion }) => operatorVersion)
    expect(new Set(versions).size).toBe(4)
    expect(versions[0]).toBe('')
  })
})

test('the policy is that of the project’s path', async () => {
  const policy = {
    entries: [{ projects: ['hotel/*'], mode: 'observe' as const }],
    defaults: { mode: 'act' as const, newRuleLimit: 4 },
  }
  const { refresh } = makeRuleFiles({ policy })
  holds(null)
  expect((await refresh(7)).policy).toMatchObject({ mode: 'observe', newRuleLimit: 4 })
  holds(null, { path: 'motel/app' })
  expect((await refresh(7)).policy).toMatchObject({ mode: 'act' })
})

test('asIf returns the rules with another file, and stores nothing', async () => {
  const { names, refresh, asIf } = makeRuleFiles()
  holds(rules('one'))
  await refresh(7)
  const named = async (text: string | null) => {
    const { files, problems } = await asIf(7, text === null ? null : { blob: 'b', text })
    return [files.slice(1).map((each) => each.rules.rules.map(({ name }) => name)), problems.length]
  }
  expect(await named(rules('two'))).toEqual([[['two']], 0])
  expect(await named(broken)).toEqual([[[]], 1])
  expect(await named(null)).toEqual([[], 0])
  expect(await names()).toEqual([[['one'], false]])
})

test('the default branch and its head are read unconditionally', async () => {
  const head = headWith(null)
  const asked: unknown[] = []
  const seen = (body: object) =>
    function (this: { req: { headers: Record<string, unknown> } }) {
      asked.push(this.req.headers['if-none-match'] ?? null)
      return [200, body, { etag: 'W/"a"' }] as const
    }
  service()
    .get('/projects/7')
    .times(2)
    .reply(seen({ id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' }))
  service()
    .get('/projects/7/repository/branches/main')
    .times(2)
    .reply(seen({ name: 'main', commit: { id: head } }))
  service().get(`/projects/7/repository/files/.bellhop.yml?ref=${head}`).times(2).reply(404)
  const { refresh } = makeRuleFiles()
  await refresh(7)
  await refresh(7)
  expect(asked).toEqual([null, null, null, null])
})

test('a file is read once for each commit', async () => {
  const { names, refresh } = makeRuleFiles()
  holds(rules('one'))
  await refresh(7)
  serves('/projects/7', { id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' })
  serves('/projects/7/repository/branches/main', { name: 'main', commit: { id: headWith(rules('one')) } })
  await refresh(7)
  expect(await names()).toEqual([[['one'], false]])
})
