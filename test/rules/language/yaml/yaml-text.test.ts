// YAML with limits: values, and where each of them is in the text.

import fc from 'fast-check'
import { readYaml, type YamlLimits } from '../../../../src/rules/language/yaml/yaml-text.ts'

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

const problem = (text: string) => {
  const read = readYaml(text)
  const { line, column, found } = (read.ok ? undefined : read.problems[0]) ?? {}
  return found === undefined ? undefined : `${line}:${column}: ${found}`
}

describe('a repeated key', () => {
  it.each([
    ['in the file', 'a: 1\nb: 2\na: 3\n', '3:1: a second "a"'],
    ['in a mapping of a list', 'rules:\n  - name: x\n    if: { y: 1 }\n    name: z\n', '4:5: a second "name"'],
    ['in brackets', 'a: [b, { c: 1, d: { e: 1, e: 2 } }]\n', '1:27: a second "e"'],
    ['without values', '{ a, b, a }\n', '1:9: a second "a"'],
    ['once in quotes', `a: 1\n'a': 2\n`, '2:1: a second "a"'],
    ['with an escape', 'ab: 1\n"a\\u0062": 2\n', '2:1: a second "ab"'],
    ['after a question mark', '? a\n: 1\n? a\n: 2\n', '3:3: a second "a"'],
    ['with an anchor', '&x a: 1\na: 2\n', '2:1: a second "a"'],
  ])('is refused %s', (_where, text, expected) => {
    expect(problem(text)).toBe(expected)
  })
  it.each([
    ['of two mappings', 'a: { b: 1 }\nc: { b: 2 }\n'],
    ['of a mapping and the one inside it', 'a: { a: { a: 1 } }\n'],
    ['of the single pairs of a list', '[a: 1, a: 2]\n'],
    ['written otherwise', 'a: 1\nA: 2\n"a ": 3\n'],
    ['that is a value as well', 'a: a\nb: a\n'],
  ])('is not one %s', (_where, text) => {
    expect(problem(text)).toBeUndefined()
  })
  it('is reported only where the rest is valid YAML', () => {
    expect(problem('a: 1\na: 2\n]\n')).toMatch(/^3:1: Unexpected/)
  })
})

it.each([
  ['commas', `a: [${Array.from({ length: 70 }, () => `[${','.repeat(490)}]`).join(',')}]`],
  ['quotes', '"'.repeat(70_000)],
  ['invalid escapes', `a: "${'\\q'.repeat(100_000)}"`],
  ['brackets', ']'.repeat(200_000)],
])(
  'a text with thousands of errors %s: the first hundred are reported, and errors have stack traces afterwards',
  (_what, text) => {
    const before = Error.stackTraceLimit
    const read = readYaml(text)
    expect(read.ok ? 0 : read.problems.length).toBe(100)
    expect(Error.stackTraceLimit).toBe(before)
  },
)

const generous: YamlLimits = { entries: 1000, lexemes: 100_000 }
const longest = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const entries = Object.values(value)
  return Math.max(entries.length, ...entries.map(longest))
}
const refusal = (text: string, limits: YamlLimits) => {
  const read = readYaml(text, limits)
  return read.ok ? undefined : read.problems[0]
}

const line = fc.constantFrom(
  ...['rules:', 'rules: ', 'rules: |', 'rules: # - a', 'defs:', 'defs: >', 'a: b', '  k: v', '# - a', '', '  ', '---'],
  ...['- x', '  - x', '    - x', '-', '- - x', '- |', '  - |', '  - k: >', '- "a', '  - "a', 'b"', '  b"', '- ['],
  ...['  - [', ']', '   text'],
)

describe('a list that is too long', () => {
  it('is refused where its first entry too many is, however it is written', () => {
    const limits = { entries: 3, lexemes: 10_000 }
    const places = [
      'rules:\n- a\n- b\n- c\n- d\n',
      'rules:\n  - a: |\n     - x\n  - b\n\n# d\n  - c\n  - d\n',
      'rules: [a, b, c, d]',
    ].map((text) => {
      const { line, column, expected } = refusal(text, limits) ?? {}
      return [line, column, expected]
    })
    const expected = 'at most 3 entries in one list or mapping'
    expect(places).toEqual([
      [5, 1, expected],
      [8, 3, expected],
      [1, 18, expected],
    ])
  })
  it('is one: dashes in texts and comments are no entries', () => {
    const block = fc.array(line, { minLength: 3, maxLength: 14 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(block, (text) => {
        const refused = refusal(text, { ...generous, entries: 3 })
        const whole = readYaml(text, generous)
        if (!whole.ok) return
        expect(refused !== undefined).toBe(longest(whole.yaml.value) > 3)
      }),
      { numRuns: 500 },
    )
  })
  it('space and comments after the last entry are none', () => {
    const ends = ['  - c', '  - c\n  ', '  - |\n  ', '  - c\n# d', '  - c\n  # d\n', '  - c\n\n']
    expect(ends.map((end) => refusal(`rules:\n  - a\n  - b\n${end}`, { entries: 3, lexemes: 100 }))).toEqual(
      ends.map(() => undefined),
    )
    expect(refusal('[a, b, c, ]', { entries: 3, lexemes: 100 })).toBeUndefined()
    expect(refusal('[a, b, c, d]', { entries: 3, lexemes: 100 })).toBeDefined()
  })
})

describe('a text of too many words and signs', () => {
  const words = (count: number) => `a: "${'x '.repeat(count)}"\nb: [${'[c], '.repeat(count)}]\n`
  it('is refused at the first one too many', () => {
    const limits = { entries: 100_000, lexemes: 8000 }
    const [less, more] = [refusal(words(3000), limits), refusal(words(6000), limits)]
    expect(less).toMatchObject({ line: 2, expected: 'at most 8000 words and signs' })
    expect(more).toEqual(less)
  })
  it('is none where they are in one text', () => {
    expect(refusal(`a: "${'[x], '.repeat(9000)}"\n`, { entries: 10, lexemes: 8000 })).toBeUndefined()
  })
})
