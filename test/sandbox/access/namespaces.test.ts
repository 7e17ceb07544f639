// Paths of users, groups and projects.
import { checkPath, isPathTaken, pathFromName } from '../../../src/sandbox/access/namespaces.ts'
import { ErrorResponse } from '../../../src/sandbox/http/error-response.ts'
import { family } from '../groups/family.ts'

test('a path is taken by a user or a group, in any case of letters, and its parts and extensions are not', () => {
  const { state } = family()
  const taken = ['Ann', 'OUTER', 'outer/Middle', 'middle', 'outer/midd', 'outer/middle/inner/x'].filter((path) =>
    isPathTaken(state, path),
  )
  expect(taken).toEqual(['Ann', 'OUTER', 'outer/Middle'])
})

test.each(['', '-x', 'a b', 'a/b', 'x.git', 'x.atom', 'x.', '.x', '..', 'a\nb', 'ä', 'api', 'Groups'])(
  '%j is no path',
  (path) => {
    expect(() => checkPath('path', path)).toThrow(ErrorResponse)
  },
)

test.each(['a', '_a', 'a.b', 'a-b', 'A1', 'git', 'a.gitx'])('%j is a path', (path) => {
  expect(() => checkPath('path', path)).not.toThrow()
})

test.each([
  ['My Project', 'my-project'],
  ['  Über  uns! ', 'u-ber-uns'],
  ['...', ''],
])('%j gives the path %j', (name, path) => {
  expect(pathFromName(name)).toBe(path)
})
