// What is remembered of merge requests, branches and projects: pushes, memory, rule files, marks.
import { describe, expect, test } from 'vitest'
import type { Journal, RuleFileRecord } from '../../../src/journal/types.ts'
import { event, mergeRequest, ruleFile } from './records.ts'

export function journalMemorySuite(open: () => Journal, openAnother: () => Promise<Journal>): void {
  describe('pushes', () => {
    test('are read oldest first, each delivery once, the last hundred', async () => {
      const { project } = mergeRequest()
      const branch = { project, branch: 'feature/x' }
      for (let n = 0; n < 105; n += 1)
        await open().pushes.add(branch, { from: n === 0 ? null : `sha${n - 1}`, to: `sha${n}`, by: { id: n } }, `d${n}`)
      await open().pushes.add(branch, { from: 'x', to: 'y', by: {} }, 'd104')
      const pushes = await open().pushes.list(branch)
      expect(pushes.map(({ to }) => to)).toEqual(Array.from({ length: 100 }, (_, n) => `sha${n + 5}`))
      for (const other of [{ branch: 'feature/y' }, { branch: 'Feature/x' }, { project: mergeRequest().project }]) {
        expect(await open().pushes.list({ ...branch, ...other })).toEqual([])
        await open().pushes.add({ ...branch, ...other }, { from: null, to: 'b', by: {} }, 'd0')
        expect(await open().pushes.list({ ...branch, ...other })).toHaveLength(1)
      }
    })
  })

  test('what an evaluation needs is read at once', async () => {
    const of = mergeRequest()
    expect(await open().load(of, ['a'])).toEqual({
      ...{ memory: undefined, queueEntry: undefined, pendingEvents: [], name: {}, marks: {} },
    })
    const memory = { rules: {}, pushes: [] }
    await open().mergeRequests.save(of, { memory, name: { title: 'T', url: 'https://service/p/-/merge_requests/7' } })
    await open().marks.write(of.project, 'a', 'A')
    await open().marks.write(of.project, 'b', 'B')
    for (const deliveryId of ['one', 'two']) await open().events.add(of, { deliveryId, event: event() })
    await open().ruleFiles.save(of.project, [
      { ...ruleFile(of), projectPath: 'hotel/app', projectUrl: 'https://service/p' },
    ])
    const loaded = await open().load(of, ['a', 'c'])
    expect(loaded).toMatchObject({ memory, marks: { a: 'A' }, name: { path: 'hotel/app', title: 'T' } })
    expect(loaded.marks).not.toHaveProperty('b')
    expect(loaded.pendingEvents).toEqual(await open().events.pending(of))
    expect(loaded.pendingEvents.map(({ deliveryId }) => deliveryId)).toEqual(['one', 'two'])
  })

  test('a change of a merge request leaves what it does not name', async () => {
    const of = mergeRequest()
    const memory = { rules: {}, pushes: [], of: { approve: 'a' } }
    await open().mergeRequests.save(of, { memory, changesAt: '2001-01-01T00:00:00.000Z' })
    await open().events.add(of, { deliveryId: 'one', event: event() })
    await open().mergeRequests.save(of, { processed: await open().events.pending(of) })
    expect(await open().load(of)).toMatchObject({ memory, pendingEvents: [] })
    const due = async () =>
      (await open().mergeRequests.due(new Date('2001-01-02'), 1_000)).filter(
        ({ mergeRequest: { project } }) => project === of.project,
      )
    expect(await due()).toEqual([{ mergeRequest: of, changesAt: new Date('2001-01-01T00:00:00.000Z') }])
    await open().mergeRequests.save(of, { changesAt: null })
    expect(await due()).toEqual([])
  })

  describe('memory, rule files, marks', () => {
    test('the last saved is what is remembered', async () => {
      const of = mergeRequest()
      expect(await open().mergeRequests.memory(of)).toBeUndefined()
      for (const matched of [true, false]) {
        const memory = { rules: { 'a#b': { fingerprint: 'f', matched, done: ['label'] } }, pushes: [] }
        await open().mergeRequests.save(of, { memory })
        expect(await open().mergeRequests.memory(of)).toEqual(memory)
      }
      const file = ruleFile(of)
      expect(await open().ruleFiles.find(file)).toBeUndefined()
      await open().ruleFiles.save(of.project, [file])
      expect(await open().ruleFiles.find(file)).toEqual(file)
      expect(await open().marks.read(of.project, 'pipelines')).toBeUndefined()
      await open().marks.write(of.project, 'pipelines', 'merge requests')
      expect(await open().marks.read(of.project, 'pipelines')).toBe('merge requests')
    })
  })

  describe('rule files', () => {
    const good = { blob: 'b', text: 'version: 1' }
    const included = (project: number, from: number, path: string): RuleFileRecord => ({
      ...{ ...ruleFile({ project }), path: `p${from}:${path}`, good, origin: { project: from, path } },
    })

    test('of a project are those that were saved last, all at once', async () => {
      const { project } = mergeRequest()
      const [own, one, two] = [ruleFile({ project }), included(project, 1, 'a.yml'), included(project, 1, 'b.yml')]
      await open().ruleFiles.save(project, [own, one])
      await open().ruleFiles.save(project, [own, two])
      const { files } = await open().ruleFiles.of(project)
      expect(files).toHaveLength(2)
      expect(files).toEqual(expect.arrayContaining([own, two]))
      expect(await open().ruleFiles.find(one)).toBeUndefined()
    })

    test('that other projects include are known, where they are valid', async () => {
      const [origin, one, two] = [mergeRequest().project, mergeRequest().project, mergeRequest().project]
      await open().ruleFiles.save(one, [ruleFile({ project: one }), included(one, origin, 'a.yml')])
      await open().ruleFiles.save(two, [
        ...[included(two, origin, 'a.yml'), included(two, origin, 'b.yml')],
        { ...included(two, origin, 'broken.yml'), good: null },
      ])
      const includedBy = async () => (await open().ruleFiles.of(origin)).includedBy
      expect(await includedBy()).toEqual([
        { project: one, path: 'a.yml' },
        { project: two, path: 'a.yml' },
        { project: two, path: 'b.yml' },
      ])
      await open().ruleFiles.save(two, [ruleFile({ project: two })])
      expect(await includedBy()).toEqual([{ project: one, path: 'a.yml' }])
    })
  })

  describe('a mark', () => {
    test('that many change at once, in several processes, loses no change', async () => {
      const { project } = mergeRequest()
      const journals = [open(), await openAnother(), await openAnother()]
      const add = (before = 0) => before + 1
      await Promise.all(Array.from({ length: 12 }, (_, n) => journals[n % 3]?.marks.change(project, 'count', add)))
      expect(await open().marks.read(project, 'count')).toBe(12)
    })

    test('is of one project and name alone, and is gone when its time is over', async () => {
      const [{ project }, other] = [mergeRequest(), mergeRequest()]
      await open().marks.write(project, 'a', { list: [1] })
      await open().marks.write(project, 'b', 'brief', 1)
      expect(await open().marks.read(project, 'a')).toEqual({ list: [1] })
      expect(await open().marks.read(other.project, 'a')).toBeUndefined()
      await expect.poll(() => open().marks.read(project, 'b')).toBeUndefined()
      await open().marks.change(project, 'b', (before) => (before === undefined ? 'new' : undefined))
      expect(await open().marks.read(project, 'b')).toBe('new')
    })

    test('is left as it is by a change that says so, and may be new, or begin with the word of another', async () => {
      const { project } = mergeRequest()
      await open().marks.change(project, 'a', () => undefined)
      expect(await open().marks.read(project, 'a')).toBeUndefined()
      for (const text of ['none', 'is none', '']) {
        await open().marks.change(project, 'a', () => text)
        expect(await open().marks.read(project, 'a')).toBe(text)
        await open().marks.change(project, 'a', () => undefined)
        expect(await open().marks.read(project, 'a')).toBe(text)
      }
    })
  })
}
