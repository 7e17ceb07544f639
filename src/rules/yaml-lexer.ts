// The package's lexer, driven without its generators: every word and sign would pass through four of them, which takes longer than finding it.
import { Lexer } from 'yaml'

const steps = {
  stream: 'parseStream',
  'line-start': 'parseLineStart',
  'block-start': 'parseBlockStart',
  doc: 'parseDocument',
  flow: 'parseFlowCollection',
  'quoted-scalar': 'parseQuotedScalar',
  'block-scalar': 'parseBlockScalar',
  'plain-scalar': 'parsePlainScalar',
} as const
type State = keyof typeof steps

/** What the package keeps to itself: its version is exact, and a test compares the words and signs with those of `Lexer.lex`. */
type Inside = Record<(typeof steps)[State], () => Iterator<string, State | null | undefined>> & {
  buffer: string
  pos: number
  atEnd: boolean
  hasChars(count: number): boolean
  pushCount(count: number): Iterable<string, number>
  pushToIndex(end: number, allowEmpty: boolean): Iterable<string, number>
  pushSpaces(allowTabs: boolean): Iterable<string, number>
}

/** Takes a text apart into words and signs, as `Lexer` does. */
export class QuickLexer {
  readonly #inside = new Lexer() as unknown as Inside
  #next: State | null | undefined = 'stream'
  #found: string[] = []
  #given = 0

  constructor(text: string) {
    const inside = this.#inside
    inside.buffer = text
    inside.atEnd = true
    inside.pushCount = (count) => this.#take(count)
    inside.pushToIndex = (end, allowEmpty) => {
      const length = Math.min(end, inside.buffer.length) - inside.pos
      if (length <= 0 && allowEmpty) this.#found.push('')
      return this.#take(length)
    }
    inside.pushSpaces = (allowTabs) => {
      let end = inside.pos
      while (inside.buffer[end] === ' ' || (allowTabs && inside.buffer[end] === '\t')) end++
      return this.#take(end - inside.pos)
    }
  }

  /** The next one; undefined at the end. */
  next(): string | undefined {
    while (this.#given === this.#found.length) {
      if (typeof this.#next !== 'string' || !this.#inside.hasChars(1)) return undefined
      this.#found = []
      this.#given = 0
      this.#step(this.#inside[steps[this.#next]]())
    }
    return this.#found[this.#given++]
  }

  #step(step: Iterator<string, State | null | undefined>): void {
    for (;;) {
      const { done, value } = step.next()
      if (done === true) {
        this.#next = value
        return
      }
      this.#found.push(value)
    }
  }

  #take(length: number): Iterable<string, number> {
    const { buffer, pos } = this.#inside
    if (length <= 0) return nothing
    this.#found.push(buffer.substring(pos, pos + length))
    this.#inside.pos = pos + length
    return taken(length)
  }
}

/** An iterator that has ended, with how much of the text was taken. */
function taken(length: number): Iterable<string, number> {
  const ended = { [Symbol.iterator]: () => ended, next: () => ({ done: true as const, value: length }) }
  return ended
}
const nothing = taken(0)
