// What is remembered of merge requests, branches and projects: pushes, memory, rule files, marks.
import { describe, expect, test } from 'vitest'
import type { Journal, RuleFileKey } from '../../src/journal/types.ts'
import { mergeRequest } from './journal-records.ts'

export function journalMemorySuite(open: () => Journal, openAnother: () => Promise<Journal>): void {
  describe('pushes', () => {
    test('are read oldest first, each delivery once, the last hundred', async () => {
      const { service, project } = mergeRequest()
      const branch = { service, project, branch: 'feature/x' }
      for (let n = 0; n < 105; n += 1)
        await open().addPush(branch, { from: n === 0 ? null : `sha${n - 1}`, to: `sha${n}`, by: { id: n } }, `d${n}`)
      await open().addPush(branch, { from: 'x', to: 'y', by: {} }, 'd104')
      const pushes = await open().pushes(branch)
      expect(pushes.map(({ to }) => to)).toEqual(Array.from({ length: 100 }, (_, n) => `sha${n + 5}`))
      expect(await open().pushes({ ...branch, branch: 'feature/y' })).toEqual([])
    })
  })

  describe('memory, rule files, marks', () => {
    test('the last saved is what is remembered', async () => {
      const of = mergeRequest()
      expect(await open().memory(of)).toBeUndefined()
      for (const held of [true, false]) {
        const memory = { rules: { 'a#b': { fingerprint: 'f', held, done: ['label'] } }, pushes: [] }
        await open().saveMemory(of, memory)
        expect(await open().memory(of)).toEqual(memory)
      }
      const file = {
        service: of.service,
        project: of.project,
        path: '.bellhop.yml',
        ref: 'main',
        blob: null,
        text: null,
        problems: [],
        good: null,
        readAt: 'now',
      }
      expect(await open().ruleFile(file)).toBeUndefined()
      await open().saveRuleFile(file)
      expect(await open().ruleFile(file)).toEqual(file)
      expect(await open().projectMark(of.service, of.project, 'pipelines')).toBeUndefined()
      await open().markProject(of.service, of.project, 'pipelines', 'merge requests')
      expect(await open().projectMark(of.service, of.project, 'pipelines')).toBe('merge requests')
    })
  })

  describe('forms of a rule file', () => {
    const good = { blob: 'b', text: 'rules: []' }
    const made = () => ({ ...mergeRequest(), path: '.bellhop.yml', ref: 'main', ...good, problems: [] as string[], good, readAt: 'now' })
    const forms = async (file: RuleFileKey) => (await open().ruleForms(file)).sort()

    test('are found as they were kept, the last of each kind, by every process', async () => {
      const file = made()
      expect(await forms(file)).toEqual([])
      const odd = '{"a":"\\u0000 \\" é \u{1F600}"}\nb'
      for (const form of ['a', odd]) await open().saveRuleForm(file, 'good', form)
      await open().saveRuleForm(file, 'broken', 'c')
      expect(await (await openAnother()).ruleForms(file)).toEqual([odd, 'c'])
      for (const other of [
        { ...file, service: 'other' },
        { ...file, project: file.project + 1_000_000 },
        { ...file, path: 'a.yml' },
      ])
        expect(await forms(other)).toEqual([])
    })

    test('are gone when the file has no such version any more', async () => {
      const file = made()
      const keepBoth = async () => {
        for (const kind of ['good', 'broken'] as const) await open().saveRuleForm(file, kind, kind)
      }
      await keepBoth()
      await open().saveRuleFile({ ...file, problems: ['a problem'] })
      expect(await forms(file)).toEqual(['broken', 'good'])
      await open().saveRuleFile(file)
      expect(await forms(file)).toEqual(['good'])
      await keepBoth()
      await open().saveRuleFile({ ...file, good: null, problems: ['a problem'] })
      expect(await forms(file)).toEqual(['broken'])
      await keepBoth()
      await open().saveRuleFile({ ...file, blob: null, text: null, good: null })
      expect(await forms(file)).toEqual([])
    })
  })

  describe('a mark', () => {
    test('that many change at once, in several processes, loses no change', async () => {
      const { service, project } = mergeRequest()
      const journals = [open(), await openAnother(), await openAnother()]
      const add = (before = '0') => String(Number(before) + 1)
      await Promise.all(Array.from({ length: 30 }, (_, n) => journals[n % 3]?.changeMark(service, project, 'count', add)))
      expect(await open().projectMark(service, project, 'count')).toBe('30')
    })

    test('is left as it is by a change that says so, and may be new, or begin with the word of another', async () => {
      const { service, project } = mergeRequest()
      await open().changeMark(service, project, 'a', () => undefined)
      expect(await open().projectMark(service, project, 'a')).toBeUndefined()
      for (const text of ['none', 'is none', '']) {
        await open().changeMark(service, project, 'a', () => text)
        expect(await open().projectMark(service, project, 'a')).toBe(text)
        await open().changeMark(service, project, 'a', () => undefined)
        expect(await open().projectMark(service, project, 'a')).toBe(text)
      }
    })
  })
}
