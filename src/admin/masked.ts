// A delivery's body as it may be shown: with what may be a secret taken out (DESIGN §6).

const mask = '[masked]'
const secretName = /token|secret|passw|private_?key|api_?key|credential|authorization/i
// Personal, deploy, job, hook signing and runner tokens as services write them; credentials in addresses; bearer tokens.
const secretText = /\b(?:gl[a-z]{2,6}-[\w.-]{8,}|whsec_[\w+/=]{8,}|(?<=:\/\/)[^\s/@"]+(?=@)|(?<=\bbearer )[\w.~+/=-]+)/gi
const deepest = 100

/** Values of CI variables, and whatever has the name or the look of a secret, are masked. What is no JSON is shown as masked text. */
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

/** A list of key and value, or an object. */
function maskedVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedVariables)
  if (typeof value !== 'object' || value === null) return mask
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'key' ? each : mask]))
}

const hides = (name: string, value: unknown) => secretName.test(name) && value !== null && typeof value !== 'boolean'
const maskedText = (text: string) => text.replaceAll(secretText, mask)
