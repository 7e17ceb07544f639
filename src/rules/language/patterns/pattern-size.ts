// What the source of an expression tells: its compiled size, roughly, and the text that every match contains.
/** The instructions that compiling one Unicode class is worth. */
const UNICODE_CLASS = 40
/** How many characters of a class are case-folded in the time of one instruction. */
const FOLDED_PER_INSTRUCTION = 75
/** The last code point that has another case. */
const LAST_FOLDED = 0x1e943

const TOKEN =
  /\\Q(?<quoted>.*?)(?:\\E|$)|(?<property>\\[pP](?:\{[^}]*\}?|.))|\\x(?:\{[^}]*\}?|..)|\\.|(?<class>\[\^?\]?(?:\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\[:\^?\w+:\]|\\.|[^\]\\])*\]?)|(?<flags>\(\?[\w-]*\))|(?<plain>\(\?[\w-]*:)|(?<open>\((?:\?P?<\w+>)?)|(?<close>\))|(?<repeat>\{(?<from>\d+)(?<comma>,(?<to>\d*))?\}|[*+?])|(?<or>\|)|./gsu

/** Estimates the compiled size: repetition counts multiply, and wide classes count for several instructions. */
export function estimateInstructions(source: string): number {
  const folds = /\(\?[A-Za-z]*i/.test(source)
  const sums: number[] = [0]
  const captures: number[] = []
  let last = 0
  const put = (size: number) => {
    sums[sums.length - 1] = (sums.at(-1) ?? 0) + size
    last = size
  }
  for (const { groups = {}, 0: text } of source.matchAll(TOKEN)) {
    if (groups.flags !== undefined) continue
    if (groups.open !== undefined || groups.plain !== undefined) {
      sums.push(0)
      captures.push(groups.open === undefined ? 0 : 2)
    } else if (groups.close !== undefined) {
      if (sums.length > 1) put((sums.pop() ?? 0) + (captures.pop() ?? 0))
    } else if (groups.repeat !== undefined) {
      const before = last
      put(repeated(before, groups))
      // A further repetition, behind flags, repeats this again.
      last += before
    } else if (groups.or !== undefined) put(1)
    else if (groups.quoted !== undefined) put(groups.quoted.length)
    else if (groups.property !== undefined) put(UNICODE_CLASS)
    else put(groups.class === undefined ? 1 : classSize(text, folds))
  }
  return sums.reduce((all, each) => all + each, 0)
}

/** The instructions that a repetition adds to what it repeats. */
function repeated(size: number, { from, comma, to }: Record<string, string | undefined>): number {
  if (from === undefined) return 1
  const [least, most] = [Number(from), Number(to) || Number(from)]
  const copies = Math.max(1, most + (comma !== undefined && to === '' ? 1 : 0))
  return size * (copies - 1) + (comma === undefined ? 0 : Math.max(1, most - least))
}

function classSize(text: string, folds: boolean): number {
  const properties = text.match(/\\[pP]/g)?.length ?? 0
  return 1 + properties * UNICODE_CLASS + (folds ? Math.ceil(charactersIn(text) / FOLDED_PER_INSTRUCTION) : 0)
}

/** How many characters of a class may have to be case-folded. */
function charactersIn(text: string): number {
  const end = String.raw`\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\?(.)`
  const ranges = text.matchAll(new RegExp(`(?:${end})-(?:${end})`, 'gsu'))
  const codeOf = (parts: readonly (string | undefined)[]) => {
    const [long, short, plain] = parts
    return plain === undefined ? Number.parseInt(long ?? short ?? '0', 16) : (plain.codePointAt(0) ?? 0)
  }
  let sum = 0
  for (const [, ...parts] of ranges) {
    const [from, to] = [codeOf(parts.slice(0, 3)), Math.min(codeOf(parts.slice(3)), LAST_FOLDED)]
    // The ranges of one alphabet cost almost nothing.
    if (to - from > FOLDED_PER_INSTRUCTION) sum += to - from
  }
  return sum
}

/** The longest text that every match of an RE2 expression contains; empty if unknown. */
export function requiredText(source: string): string {
  // Flags may ignore case, and classes and quoted parts have their own syntax.
  if (/\(\?|\[|\\[A-Za-z0-9]|[^ -~]/.test(source)) return ''
  let [needed, run, depth] = ['', '', 0]
  const end = () => {
    if (run.length > needed.length) needed = run
    run = ''
  }
  for (let at = 0; at < source.length; at++) {
    const sign = source[at] as string
    if (sign === '(') {
      end()
      depth++
    } else if (sign === ')') depth--
    else if (sign === '\\') {
      at++
      if (depth === 0) run += source[at] ?? ''
    } else if (depth > 0) continue
    // Otherwise the brace is a letter.
    else if (sign === '|' || (sign === '{' && !REPETITION.test(source.slice(at)))) return ''
    else if (sign === '*' || sign === '?' || sign === '{') {
      // The character before may be absent.
      run = run.slice(0, -1)
      end()
      if (sign === '{') at = source.indexOf('}', at)
    } else if ('+.^$'.includes(sign)) end()
    else run += sign
  }
  end()
  return needed
}

const REPETITION = /^\{\d+(?:,\d*)?\}/
