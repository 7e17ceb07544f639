// The quick parser: the same tokens as the package's own, whatever the text is.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CST, Lexer, Parser } from 'yaml'
import { QuickParser } from '../../src/rules/yaml-parser.ts'
import { anyYaml } from './any-yaml.ts'

function tokensBy(parser: { next(lexeme: string): Iterable<CST.Token>; end(): Iterable<CST.Token> }, text: string): CST.Token[] {
  const tokens = [...new Lexer().lex(text)].flatMap((lexeme) => [...parser.next(lexeme)])
  return [...tokens, ...parser.end()]
}

describe('the quick parser', () => {
  it('makes the tokens that the package makes', () => {
    fc.assert(
      fc.property(anyYaml, (any) => {
        expect(tokensBy(new QuickParser(), any)).toEqual(tokensBy(new Parser(), any))
      }),
      { numRuns: 3000 },
    )
  })
  it('knows what is open', () => {
    const parser = new QuickParser()
    for (const lexeme of new Lexer().lex('a:\n  - [b')) for (const token of parser.next(lexeme)) expect(token).toBeUndefined()
    expect(parser.stack.map(({ type }) => type)).toEqual(['document', 'block-map', 'block-seq', 'flow-collection'])
  })
})
