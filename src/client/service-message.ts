// Finds the service's message in the body of an error, whatever its shape.
import { isMap } from '../api/json.ts'

const LONGEST = 500

/**
 * One line out of `{"message": …}` (string, object of lists, list), `{"error": …, "error_description": …}`, HTML or
 * plain text; undefined when there is none. `clean` runs before the text is cut, so that no half of a secret remains.
 */
export function readServiceMessage(text: string, clean: (text: string) => string): string | undefined {
  const parsed = parseJson(text)
  const said = parsed === undefined ? plainText(text) : messageIn(parsed)
  // Control characters could control an operator's terminal.
  const line = clean(said.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
  if (line === '') return undefined
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** The service names the token as the cause, also if a 401 otherwise means a missing permission. */
export function rejectsToken(text: string): boolean {
  const parsed = parseJson(text)
  return isMap(parsed) && parsed.error === 'invalid_token'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageIn(body: unknown): string {
  if (!isMap(body)) return flatten(body)
  if (body.message !== undefined) return flatten(body.message)
  const parts = [flatten(body.error), flatten(body.error_description)].filter((each) => each !== '')
  return parts.length > 0 ? parts.join(': ') : flatten(body)
}

/** The depth is bounded against hostile responses. */
function flatten(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > 4) return ''
  if (Array.isArray(value)) return joined(value.map((each) => flatten(each, depth + 1)))
  if (!isMap(value)) return String(value)
  // `base` and `error` are no field names.
  return joined(
    Object.entries(value).map(([key, each]) => {
      const words = flatten(each, depth + 1)
      return words === '' || key === 'base' || key === 'error' ? words : `${key}: ${words}`
    }),
  )
}

function joined(words: string[]): string {
  return words.filter((each) => each !== '').join(', ')
}

function plainText(text: string): string {
  if (!/<(?:!doctype|html|head|body|title|h1)\b/i.test(text)) return text
  const heading = between(text, 'title') ?? between(text, 'h1')
  return decodeEntities(withoutTags(heading ?? text))
}

/** Not a regular expression: two wildcards take quadratic time on a hostile page. */
function between(html: string, tag: string): string | undefined {
  const lower = html.toLowerCase()
  const start = lower.indexOf(`<${tag}`)
  const opened = start === -1 ? -1 : lower.indexOf('>', start)
  const end = opened === -1 ? -1 : lower.indexOf(`</${tag}`, opened)
  const inside = end === -1 ? '' : html.slice(opened + 1, end).trim()
  return inside === '' ? undefined : inside
}

function withoutTags(html: string): string {
  return html
    .split('<')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('>') + 1)))
    .join(' ')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** Numeric entities too: a search would not find a token in that form. */
function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|nbsp));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      return ENTITIES[name?.toLowerCase() ?? ''] ?? whole
    },
  )
}
