// The syntax problems of a document.
import { expect, test } from 'vitest'
import { readDocumentYaml } from '../../../../src/rules/language/yaml/read-document.ts'

test('a sound text has its values', () => {
  const read = readDocumentYaml('a: 1\n', 'a.yml')
  expect(read.ok && read.yaml.value).toEqual({ a: 1 })
})

test('a syntax error has file, line and column, and what was expected and found', () => {
  const read = readDocumentYaml('a: 1\nb:\n\t- 2\n', 'a.yml')
  if (read.ok) throw new Error('the text was read')
  const [problem] = read.problems
  expect(problem).toMatchObject({ file: 'a.yml', line: 3, path: '' })
  expect(problem?.message).toBe(`expected ${problem?.expected}, found ${problem?.found}`)
})
