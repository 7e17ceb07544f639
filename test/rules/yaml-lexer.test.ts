// The quick lexer: the same words and signs as the package's own, whatever the text is.
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Lexer } from 'yaml'
import { QuickLexer } from '../../src/rules/yaml-lexer.ts'
import { anyYaml } from './any-yaml.ts'

function lexemesOf(text: string): string[] {
  const lexer = new QuickLexer(text)
  const found: string[] = []
  for (let each = lexer.next(); each !== undefined; each = lexer.next()) found.push(each)
  return found
}

describe('the quick lexer', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('finds the words and signs that the package finds', () => {
    fc.assert(
      fc.property(anyYaml, (any) => {
        expect(lexemesOf(any)).toEqual([...new Lexer().lex(any)])
      }),
      { numRuns: 5000 },
    )
  })
  it('looks no further ahead than a hundred or so, however many one step would find', () => {
    const looks = vi.spyOn(Lexer.prototype as unknown as { charAt(offset: number): string }, 'charAt')
    const text = '&a '.repeat(2_000)
    const lexer = new QuickLexer(text)
    expect([lexer.next(), lexer.next()]).toEqual(['\u0002', '&a'])
    const soFar = looks.mock.calls.length
    expect(lexemesOf(text)).toEqual([...new Lexer().lex(text)])
    expect(soFar).toBeLessThan(200)
    // What is counted is what it does for each of them.
    expect(looks.mock.calls.length).toBeGreaterThan(2_000)
  })
})
