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
type Step = Iterator<string | undefined, State | null | undefined>

/** What the package keeps to itself: its version is exact, and a test compares the words and signs with those of `Lexer.lex`. */
type Inside = Record<(typeof steps)[State], () => Step> & {
  buffer: string
  pos: number
  atEnd: boolean
  hasChars(count: number): boolean
  pushCount(count: number): Taken
  pushToIndex(end: number, allowEmpty: boolean): Taken
  pushSpaces(allowTabs: boolean): Taken
}

/** A step may find as many as the text has: whoever reads them may have had enough long before. */
const MOST_AHEAD = 100

/** Takes a text apart into words and signs, as `Lexer` does, and not much sooner than they are asked for. */
export class QuickLexer {
  readonly #inside = new Lexer() as unknown as Inside
  #next: State | null | undefined = 'stream'
  #step: Step | undefined
  #found: string[] = []
  #given = 0
  readonly #taken = new Taken()

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
      if (this.#step === undefined) {
        if (typeof this.#next !== 'string' || !this.#inside.hasChars(1)) return undefined
        this.#step = this.#inside[steps[this.#next]]()
      }
      this.#found = []
      this.#given = 0
      this.#goOn(this.#step)
    }
    return this.#found[this.#given++]
  }

  /** To the end of the step, or until it has found enough. */
  #goOn(step: Step): void {
    for (;;) {
      const { done, value } = step.next()
      if (done === true) {
        this.#next = value
        this.#step = undefined
        return
      }
      if (value === undefined) return
      this.#found.push(value)
    }
  }

  #take(length: number): Taken {
    const { buffer, pos } = this.#inside
    if (length > 0) {
      this.#found.push(buffer.substring(pos, pos + length))
      this.#inside.pos = pos + length
    }
    return this.#taken.of(Math.max(length, 0), this.#found.length >= MOST_AHEAD)
  }
}

/** An iterator with how much of the text was taken: it has ended already, or lets the step rest once before. One for all, as each is asked at once. */
class Taken implements Iterable<undefined, number> {
  readonly #end = { done: true as const, value: 0 }
  #rests = false;

  [Symbol.iterator](): this {
    return this
  }

  of(length: number, rests: boolean): this {
    this.#end.value = length
    this.#rests = rests
    return this
  }

  next(): IteratorResult<undefined, number> {
    if (!this.#rests) return this.#end
    this.#rests = false
    return rest
  }
}
const rest = { done: false as const, value: undefined }
