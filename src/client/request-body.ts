// Encodes a request's body: JSON, or multipart/form-data for a file.

/** Undefined for no body. */
export function encodeBody(body: Readonly<Record<string, unknown>>): string | FormData | undefined {
  const pairs = Object.entries(body)
  if (pairs.length === 0) return undefined
  return pairs.some(([, value]) => value instanceof Blob) ? formOf(pairs) : JSON.stringify(body)
}

function formOf(pairs: readonly [string, unknown][]): FormData {
  const form = new FormData()
  for (const [key, value] of pairs) {
    if (value instanceof Blob) form.append(key, value)
    // A form has no empty list: an empty text clears the value.
    else if (Array.isArray(value) && value.length === 0) form.append(key, '')
    else if (Array.isArray(value)) for (const each of value) form.append(`${key}[]`, String(each))
    else form.append(key, String(value))
  }
  return form
}
