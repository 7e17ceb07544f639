// Limits of YAML texts: looking at lines and counting words beforehand refuses only what reading would refuse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { YamlLimits } from '../../../../src/rules/language/yaml/yaml-text.ts'
import { readYaml } from '../../../../src/rules/language/yaml/yaml-text.ts'

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
