// What a text must hold for an expression to be found in it: most texts do not, and the expression itself need not be tried.

/** The longest text that stands in every match of an expression in RE2 syntax; empty where none can be told. */
export function neededText(source: string): string {
  // Flags may make letters alike, and a class or a quoted part has a syntax of its own.
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
    // A brace that repeats nothing is a letter, and what follows it may be anything.
    else if (sign === '|' || (sign === '{' && !REPETITION.test(source.slice(at)))) return ''
    else if (sign === '*' || sign === '?' || sign === '{') {
      // The one before it may not be there.
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
