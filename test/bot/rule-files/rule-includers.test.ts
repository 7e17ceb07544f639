// Which projects include files of a project.
import { expect, test } from 'vitest'
import { includedPaths, includersOf, noteIncludes } from '../../../src/bot/rule-files/rule-includers.ts'
import { useStores } from '../stores.ts'

const stores = useStores()

function makeMarks() {
  stores.renew()
  return {
    note: (includer: number, now: [number, string][], before: [number, string][] = []) =>
      noteIncludes(stores.journal, includer, now.map(origin), before.map(origin)),
    includers: (project: number) => includersOf(stores.journal, project),
    paths: (project: number) => includedPaths(stores.journal, project),
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

test('none of those who include a file at the same moment is forgotten', async () => {
  const { note, includers, paths } = makeMarks()
  await Promise.all([1, 2, 3, 4, 5].map((includer) => note(includer, [[8, `${includer}.yml`]])))
  expect(await includers(8)).toEqual([1, 2, 3, 4, 5])
  expect(await paths(8)).toHaveLength(5)
})

test('there is an end to how many are known', async () => {
  const { note, includers } = makeMarks()
  const thousand = Array.from({ length: 1000 }, (_, at) => [at + 1, ['a.yml']])
  await stores.journal.markProject(8, 'included by', JSON.stringify(Object.fromEntries(thousand)))
  await note(1001, [[8, 'a.yml']])
  expect(await includers(8)).toHaveLength(1000)
})
