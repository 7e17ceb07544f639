// Keys that are there twice: found wherever they are, as what they say, and nowhere else.
import { describe, expect, it } from 'vitest'
import { readYaml } from '../../src/rules/yaml-text.ts'

const problem = (text: string) => {
  const read = readYaml(text)
  const { line, column, found } = (read.ok ? undefined : read.problems[0]) ?? {}
  return found === undefined ? undefined : `${line}:${column}: ${found}`
}

describe('a key that is there twice', () => {
  it.each([
    ['in the file', 'a: 1\nb: 2\na: 3\n', '3:1: a second "a"'],
    ['in a mapping of a list', 'rules:\n  - name: x\n    if: { y: 1 }\n    name: z\n', '4:5: a second "name"'],
    ['in brackets', 'a: [b, { c: 1, d: { e: 1, e: 2 } }]\n', '1:27: a second "e"'],
    ['without values', '{ a, b, a }\n', '1:9: a second "a"'],
    ['once in quotes', `a: 1\n'a': 2\n`, '2:1: a second "a"'],
    ['with an escape', 'ab: 1\n"a\\u0062": 2\n', '2:1: a second "ab"'],
    ['after a question mark', '? a\n: 1\n? a\n: 2\n', '3:3: a second "a"'],
    ['with an anchor', '&x a: 1\na: 2\n', '2:1: a second "a"'],
    ['inside a key', '? { a: 1, a: 2 }\n: 3\n', '1:11: a second "a"'],
  ])('is refused %s', (_where, text, expected) => {
    expect(problem(text)).toBe(expected)
  })
  it.each([
    ['of two mappings', 'a: { b: 1 }\nc: { b: 2 }\n'],
    ['of a mapping and the one inside it', 'a: { a: { a: 1 } }\n'],
    ['of the single pairs of a list', '[a: 1, a: 2]\n'],
    ['written otherwise', 'a: 1\nA: 2\n"a ": 3\n'],
    ['that is a value as well', 'a: a\nb: a\n'],
  ])('is none %s', (_where, text) => {
    expect(problem(text)).toBeUndefined()
  })
  it('is told after what is no YAML at all', () => {
    expect(problem('a: 1\na: 2\n]\n')).toMatch(/^3:1: Unexpected/)
  })
})
