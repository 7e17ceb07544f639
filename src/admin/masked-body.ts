// Masks what may be a secret in a delivery's body before it is shown.

const mask = '[masked]'
const secretName = /token|secret|passw|private_?key|api_?key|credential|authorization/i
// Personal, deploy, job, hook signing and runner tokens; credentials in URLs; bearer tokens.
const secretText =
  /\b(?:gl[a-z]{2,6}-[\w.-]{8,}|whsec_[\w+/=]{8,}|(?<=:\/\/)[^\s/@"]+(?=@)|(?<=\bbearer )[\w.~+/=-]+)/gi
const deepest = 100

/** Masks CI variables and whatever has the name or format of a secret. A body that is not JSON becomes masked text. */
export function maskedBody(body: string): unknown {
  try {
    return masked(JSON.parse(body), 0)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return maskedText(body)
  }
}

function masked(value: unknown, depth: number): unknown {
  if (depth > deepest) return mask
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map((each) => masked(each, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'variables' ? maskedVariables(each) : hides(name, each) ? mask : masked(each, depth + 1),
    ]),
  )
}

/** CI variables: a list of keys and values, or an object. */
function maskedVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedVariables)
  if (typeof value !== 'object' || value === null) return mask
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'key' ? each : mask]))
}

const hides = (name: string, value: unknown) => secretName.test(name) && value !== null && typeof value !== 'boolean'
const maskedText = (text: string) => text.replaceAll(secretText, mask)
