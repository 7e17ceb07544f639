// The quick lexer: the same words and signs as the package's own, whatever the text is.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lexer } from 'yaml'
import { QuickLexer } from '../../src/rules/yaml-lexer.ts'
import { anyYaml } from './yaml-pieces.ts'

function lexemesOf(text: string): string[] {
  const lexer = new QuickLexer(text)
  const found: string[] = []
  for (let each = lexer.next(); each !== undefined; each = lexer.next()) found.push(each)
  return found
}

describe('the quick lexer', () => {
  it('finds the words and signs that the package finds', () => {
    fc.assert(
      fc.property(anyYaml, (any) => {
        expect(lexemesOf(any)).toEqual([...new Lexer().lex(any)])
      }),
      { numRuns: 5000 },
    )
  })
})
