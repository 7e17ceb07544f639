// YAML with limits: values, and where each of them is in the text.
import { describe, expect, it } from 'vitest'
import { readYaml } from '../../src/rules/yaml-text.ts'

const yaml = (text: string) => {
  const read = readYaml(text)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return read.yaml
}
const text = 'a: 1\nb:\n  - x: "one"\n  - &y { z: yes }\nc: *y\nd:\n'

describe('YAML', () => {
  it('is plain values', () => {
    expect(yaml(text).value).toEqual({ a: 1, b: [{ x: 'one' }, { z: 'yes' }], c: { z: 'yes' }, d: null })
    expect(yaml('').value).toBeNull()
  })
  it.each([
    [[], 'value', 1, 1],
    [['a'], 'key', 1, 1],
    [['a'], 'value', 1, 4],
    [['b', 0, 'x'], 'key', 3, 5],
    [['b', 0, 'x'], 'value', 3, 8],
    [['b', 1, 'z'], 'value', 4, 13],
    [['c', 'z'], 'value', 4, 13],
    [['nowhere', 'at', 'all'], 'value', 1, 1],
    [['b', 7], 'value', 3, 3],
  ] as const)('%j as a %s is at %i:%i', (path, at, line, column) => {
    expect(yaml(text).position(path, at)).toEqual({ line, column })
  })
  it.each([
    [['a'], '1'],
    [['b'], 'a list'],
    [['b', 0], 'a mapping'],
    [['b', 0, 'x'], '"one"'],
    [['c', 'z'], '"yes"'],
    [['d'], 'nothing'],
    [['nowhere'], 'nothing'],
  ])('%j is found as %s', (path, expected) => {
    expect(yaml(text).found(path)).toBe(expected)
  })
  it('keeps numbers as they are written', () => {
    expect(yaml('a: 1.0').found(['a'])).toBe('1.0')
  })
  it('with a byte order mark or Windows line ends is the same', () => {
    expect(yaml('\ufeffa: 1\r\nb: 2\r\n').value).toEqual({ a: 1, b: 2 })
    expect(yaml('a: 1\r\nb: 2\r\n').position(['b'], 'value')).toEqual({ line: 2, column: 4 })
  })
})
