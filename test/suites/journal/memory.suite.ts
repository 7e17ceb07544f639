// What is remembered of merge requests, branches and projects: pushes, memory, rule files, marks.
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../src/journal/types.ts'
import { mergeRequest, ruleFile } from './records.ts'

export function journalMemorySuite(open: () => Journal, openAnother: () => Promise<Journal>): void {
  describe('pushes', () => {
    test('are read oldest first, each delivery once, the last hundred', async () => {
      const { project } = mergeRequest()
      const branch = { project, branch: 'feature/x' }
      for (let n = 0; n < 105; n += 1)
        await open().addPush(branch, { from: n === 0 ? null : `sha${n - 1}`, to: `sha${n}`, by: { id: n } }, `d${n}`)
      await open().addPush(branch, { from: 'x', to: 'y', by: {} }, 'd104')
      const pushes = await open().pushes(branch)
      expect(pushes.map(({ to }) => to)).toEqual(Array.from({ length: 100 }, (_, n) => `sha${n + 5}`))
      for (const other of [{ branch: 'feature/y' }, { branch: 'Feature/x' }, { project: mergeRequest().project }]) {
        expect(await open().pushes({ ...branch, ...other })).toEqual([])
        await open().addPush({ ...branch, ...other }, { from: null, to: 'b', by: {} }, 'd0')
        expect(await open().pushes({ ...branch, ...other })).toHaveLength(1)
      }
    })
  })

  describe('memory, rule files, marks', () => {
    test('the last saved is what is remembered', async () => {
      const of = mergeRequest()
      expect(await open().memory(of)).toBeUndefined()
      for (const matched of [true, false]) {
        const memory = { rules: { 'a#b': { fingerprint: 'f', matched, done: ['label'] } }, pushes: [] }
        await open().saveMemory(of, memory)
        expect(await open().memory(of)).toEqual(memory)
      }
      const file = ruleFile(of)
      expect(await open().ruleFile(file)).toBeUndefined()
      await open().saveRuleFile(file)
      expect(await open().ruleFile(file)).toEqual(file)
      expect(await open().projectMark(of.project, 'pipelines')).toBeUndefined()
      await open().markProject(of.project, 'pipelines', 'merge requests')
      expect(await open().projectMark(of.project, 'pipelines')).toBe('merge requests')
    })
  })

  test('the merge requests of a branch are of that branch alone, and no change of them is lost', async () => {
    const { project } = mergeRequest()
    const branch = { project, branch: 'feature' }
    expect(await open().branchRequests(branch)).toBeUndefined()
    await open().changeBranchRequests(branch, () => undefined)
    const journals = [open(), await openAnother()]
    await Promise.all(
      Array.from({ length: 8 }, (_, iid) =>
        journals[iid % 2]?.changeBranchRequests(branch, (before) => ({
          requests: [...(before?.requests ?? []), { project, iid }],
        })),
      ),
    )
    expect((await open().branchRequests(branch))?.requests.map(({ iid }) => iid).sort()).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ])
    for (const other of [{ branch: 'other' }, { project: mergeRequest().project }])
      expect(await open().branchRequests({ ...branch, ...other })).toBeUndefined()
  })

  describe('a mark', () => {
    test('that many change at once, in several processes, loses no change', async () => {
      const { project } = mergeRequest()
      const journals = [open(), await openAnother(), await openAnother()]
      const add = (before = '0') => String(Number(before) + 1)
      await Promise.all(Array.from({ length: 12 }, (_, n) => journals[n % 3]?.changeMark(project, 'count', add)))
      expect(await open().projectMark(project, 'count')).toBe('12')
    })

    test('is left as it is by a change that says so, and may be new, or begin with the word of another', async () => {
      const { project } = mergeRequest()
      await open().changeMark(project, 'a', () => undefined)
      expect(await open().projectMark(project, 'a')).toBeUndefined()
      for (const text of ['none', 'is none', '']) {
        await open().changeMark(project, 'a', () => text)
        expect(await open().projectMark(project, 'a')).toBe(text)
        await open().changeMark(project, 'a', () => undefined)
        expect(await open().projectMark(project, 'a')).toBe(text)
      }
    })
  })
}
