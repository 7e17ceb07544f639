// The text that every match of an expression contains. Texts without it need no matching.

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
