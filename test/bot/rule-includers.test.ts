// Which projects include files of a project.
import { expect, test } from 'vitest'
import { includedPaths, includersOf, noteIncludes } from '../../src/bot/rule-includers.ts'

function makeMarks() {
  const marks = new Map<string, string>()
  const journal = {
    projectMark: async (service: string, project: number, mark: string) => marks.get(`${service} ${project} ${mark}`),
    markProject: async (service: string, project: number, mark: string, value: string) =>
      void marks.set(`${service} ${project} ${mark}`, value),
  }
  return {
    note: (includer: number, now: [number, string][], before: [number, string][] = []) =>
      noteIncludes(journal, 's', includer, now.map(origin), before.map(origin)),
    includers: (project: number) => includersOf(journal, 's', project),
    paths: (project: number) => includedPaths(journal, 's', project),
  }
}
const origin = ([project, path]: [number, string]) => ({ project, path })

test('a project knows who includes which of its files', async () => {
  const { note, includers, paths } = makeMarks()
  await note(1, [
    [8, 'a.yml'],
    [8, 'b.yml'],
    [9, 'c.yml'],
  ])
  await note(2, [[8, 'a.yml']])
  expect([await includers(8), await includers(9), await includers(7)]).toEqual([[1, 2], [1], []])
  expect([await paths(8), await paths(9), await paths(7)]).toEqual([['a.yml', 'b.yml'], ['c.yml'], []])
})

test('what is included no longer is forgotten', async () => {
  const { note, includers, paths } = makeMarks()
  await note(1, [[8, 'a.yml']])
  await note(2, [[8, 'b.yml']])
  await note(1, [[9, 'a.yml']], [[8, 'a.yml']])
  expect([await includers(8), await paths(8), await paths(9)]).toEqual([[2], ['b.yml'], ['a.yml']])
})

test('there is an end to how many are known', async () => {
  const { note, includers } = makeMarks()
  for (let includer = 1; includer <= 1001; includer += 1) await note(includer, [[8, 'a.yml']])
  expect(await includers(8)).toHaveLength(1000)
})
