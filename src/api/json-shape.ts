// Limits the depth and number of values of a JSON text before it is parsed: a hostile one takes seconds and gigabytes.

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/**
 * True when lists and objects nest deeper than `depth`, or there are more than `values` values. Exact for valid JSON.
 */
export function exceedsShape(
  text: string,
  { depth: deepest, values: most }: { depth: number; values: number },
): boolean {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (openers.has(code)) {
      depth += 1
      values += 1
    } else if (closers.has(code)) depth -= 1
    else if (code === comma) values += 1
    if (depth > deepest || values > most) return true
  }
  return false
}

/** The end of the string that starts at `from`. */
function endOfString(text: string, from: number) {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}
