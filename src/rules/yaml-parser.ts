// The package's parser, driven without its look at an environment variable for every word and sign: a third of the time that it takes.
import { CST, Parser } from 'yaml'

/** What the package keeps to itself: its version is exact, and a test compares the tokens with those of `Parser.next`. */
interface Inside {
  source: string
  type: string
  offset: number
  indent: number
  atNewLine: boolean
  atScalar: boolean
  step(): Generator<CST.Token, void>
}

/** Puts words and signs together to tokens, as `Parser` does. */
export class QuickParser {
  readonly #parser = new Parser()
  readonly #inside = this.#parser as unknown as Inside

  /** What is open at present: the document, the collections inside one another, and the scalar in the innermost. */
  get stack(): readonly CST.Token[] {
    return this.#parser.stack
  }

  /** The tokens that the next word or sign completes: documents, and errors. */
  next(lexeme: string): Iterable<CST.Token> {
    const inside = this.#inside
    if (inside.atScalar) {
      inside.source = lexeme
      inside.atScalar = false
      return this.#step(lexeme.length)
    }
    const type = CST.tokenType(lexeme)
    // What is rare is left to the package.
    if (type === null || type === 'doc-mode' || type === 'flow-error-end') return this.#parser.next(lexeme)
    inside.source = lexeme
    inside.type = type
    if (type === 'scalar') {
      inside.atNewLine = false
      inside.atScalar = true
      return nothing
    }
    const completed = this.#step(0)
    this.#goOn(type, lexeme)
    return completed
  }

  /** The tokens that the end of the text completes. */
  end(): Iterable<CST.Token> {
    return this.#parser.end()
  }

  #step(length: number): readonly CST.Token[] {
    const inside = this.#inside
    const completed = [...inside.step()]
    inside.offset += length
    return completed
  }

  #goOn(type: CST.TokenType, lexeme: string): void {
    const inside = this.#inside
    const isSign = type === 'explicit-key-ind' || type === 'map-value-ind' || type === 'seq-item-ind'
    if (type === 'newline') {
      inside.atNewLine = true
      inside.indent = 0
    } else if (type === 'space') {
      if (inside.atNewLine && lexeme[0] === ' ') inside.indent += lexeme.length
    } else if (!isSign) inside.atNewLine = false
    else if (inside.atNewLine) inside.indent += lexeme.length
    inside.offset += lexeme.length
  }
}

const nothing: readonly CST.Token[] = []
